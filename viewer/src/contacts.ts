// Contacts of the frame: a dot at each point and an arrow for each force, coloured by mode.
import * as THREE from "three";
import { kModes, type Mode, type Recording } from "./data";
import { roundNumber } from "./numbers";
import type { Theme } from "./theme";

export interface DrawnArrow {
  mode: Mode;
  color: string; // #rrggbb
  start: [number, number, number];
  tip: [number, number, number];
  length: number; // m
}

const kHead = 0.3; // part of a short arrow that is its head
const kMany = 48; // contacts at once; more of them are drawn smaller

export class Contacts {
  readonly root = new THREE.Group();
  readonly newtons_per_metre: number;
  private readonly recording: Recording;
  private readonly thickness: number;
  private readonly dots: THREE.InstancedMesh;
  private readonly shafts: THREE.InstancedMesh; // unit cylinder from z = 0 to z = 1
  private readonly heads: THREE.InstancedMesh; // unit cone from z = 0 to its tip at z = 1
  private readonly colors = kModes.map(() => new THREE.Color());
  private frame = 0;

  constructor(recording: Recording, extent: number) {
    this.recording = recording;
    let most = 1;
    for (let i = 0; i < recording.frames.count; ++i) most = Math.max(most, this.count(i));
    this.thickness = 0.02 * extent * Math.max(0.2, Math.sqrt(Math.min(1, kMany / most)));
    this.newtons_per_metre = roundNumber(findScale(recording, extent, most > kMany ? 10 * this.thickness : null));

    const instances = (geometry: THREE.BufferGeometry) => {
      // Never hidden by the bodies: a force that cannot be seen explains nothing.
      const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92, fog: false });
      const mesh = new THREE.InstancedMesh(geometry, material, most);
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      this.root.add(mesh);
      return mesh;
    };
    this.shafts = instances(new THREE.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5));
    this.heads = instances(new THREE.ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5));
    this.dots = instances(new THREE.SphereGeometry(1.4 * this.thickness, 20, 12));
  }

  setTheme(theme: Theme): void {
    kModes.forEach((mode, index) => this.colors[index]!.set(theme.modes[mode]));
    this.show(this.frame);
  }

  show(frame: number): void {
    this.frame = frame;
    const { contact_start, contact_point, contact_force, contact_mode } = this.recording.frames;
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const axis = new THREE.Vector3(0, 0, 1);
    let arrow = 0;
    for (let i = 0; i < this.count(frame); ++i) {
      const contact = contact_start[frame]! + i;
      const point = new THREE.Vector3().fromArray(contact_point, 3 * contact);
      const force = new THREE.Vector3().fromArray(contact_force, 3 * contact);
      const color = this.colors[contact_mode[contact]!]!;
      this.dots.setMatrixAt(i, matrix.makeTranslation(point));
      this.dots.setColorAt(i, color);

      const length = force.length() / this.newtons_per_metre;
      if (length === 0) continue;
      turn.setFromUnitVectors(axis, force.normalize());
      const width = Math.min(this.thickness, 0.12 * length);
      const head = Math.min(kHead * length, 6 * this.thickness);
      this.shafts.setMatrixAt(arrow, matrix.compose(point, turn, new THREE.Vector3(width, width, length - head)));
      const neck = point.clone().addScaledVector(force, length - head);
      this.heads.setMatrixAt(arrow, matrix.compose(neck, turn, new THREE.Vector3(2.4 * width, 2.4 * width, head)));
      this.shafts.setColorAt(arrow, color);
      this.heads.setColorAt(arrow, color);
      ++arrow;
    }
    this.dots.count = this.count(frame);
    this.shafts.count = this.heads.count = arrow;
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  // What is drawn, read back from the matrices and colours that go to the graphics card.
  drawnArrows(): DrawnArrow[] {
    const matrix = new THREE.Matrix4();
    const color = new THREE.Color();
    return Array.from({ length: this.shafts.count }, (_, i) => {
      this.shafts.getMatrixAt(i, matrix);
      const start = new THREE.Vector3().applyMatrix4(matrix);
      this.heads.getMatrixAt(i, matrix);
      const tip = new THREE.Vector3(0, 0, 1).applyMatrix4(matrix);
      this.shafts.getColorAt(i, color);
      const mode = kModes[this.colors.findIndex((known) => known.getHex() === color.getHex())]!;
      const length = start.distanceTo(tip);
      return { mode, color: `#${color.getHexString()}`, start: start.toArray(), tip: tip.toArray(), length };
    });
  }

  drawnDots(): number {
    return this.dots.count;
  }

  private count(frame: number): number {
    const { contact_start } = this.recording.frames;
    return contact_start[frame + 1]! - contact_start[frame]!;
  }
}

// N per metre of arrow. The weight of everything is an arrow of twice the robot's size: a foot of four bears half of that
// size. Where forces are far above the weight, as in a grip, the median is an arrow of the robot's size. In a heap, where each
// contact bears next to nothing of it, the median force is an arrow of length `usual`.
function findScale(recording: Recording, extent: number, usual: number | null): number {
  const weight = recording.mass * Math.hypot(...recording.gravity);
  if (weight > 0 && usual === null) return Math.max(weight / (2 * extent), medianForce(recording) / extent);
  return (medianForce(recording) || 1) / (usual ?? 2 * extent);
}

function medianForce(recording: Recording): number {
  const { contact_force } = recording.frames;
  const sizes: number[] = [];
  for (let i = 0; i < contact_force.length; i += 3)
    sizes.push(Math.hypot(contact_force[i]!, contact_force[i + 1]!, contact_force[i + 2]!));
  const positive = sizes.filter((size) => size > 0).sort((a, b) => a - b);
  return positive[positive.length >> 1] ?? 0;
}
