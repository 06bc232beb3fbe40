// The camera: frames what moves, looks from chosen sides, follows.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Bodies } from "./bodies";
import type { Recording } from "./data";
import { findFraming, type Framing } from "./framing";

const kFieldOfView = 35; // degrees, over the shorter side of the picture
const kRoom = 1.1; // around what is framed: buttons above, a legend below

// From where the camera looks, z up. Not quite from above: there it would have no upright.
export const kSides = {
  iso: new THREE.Vector3(1, -1.35, 0.62).normalize(),
  front: new THREE.Vector3(1, 0, 0.05).normalize(),
  side: new THREE.Vector3(0, -1, 0.05).normalize(),
  top: new THREE.Vector3(0, -1e-3, 1).normalize(),
} as const;
export type Side = keyof typeof kSides;

export class View {
  readonly camera = new THREE.PerspectiveCamera(kFieldOfView, 1, 0.01, 1000);
  readonly size: number; // radius of what the camera looks at at first, m
  readonly framing: Framing;
  follow = false;
  moved = false; // by the reader, since the last reset
  private readonly controls: OrbitControls;
  private readonly boxes: THREE.Box3[];
  private readonly middle: THREE.Vector3;
  private readonly last_centre = new THREE.Vector3();
  private picked = -1;

  // `onChange`: the picture must be drawn anew; `onMove`: the reader has moved the camera.
  constructor(canvas: HTMLCanvasElement, recording: Recording, private readonly bodies: Bodies, onChange: () => void,
              onMove: () => void) {
    this.camera.up.set(0, 0, 1);
    this.framing = findFraming(recording, bodies.balls);
    const nothing = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.boxes = this.framing.boxes.length > 0 ? this.framing.boxes : [nothing];
    const around = this.boxes.reduce((sum, box) => sum.union(box), new THREE.Box3());
    this.middle = around.getCenter(new THREE.Vector3());
    this.size = 0.5 * around.getSize(new THREE.Vector3()).length();
    this.camera.near = 0.01 * this.size;
    this.camera.far = 200 * this.size;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.minDistance = 0.05 * this.size;
    this.controls.maxDistance = 15 * this.size;
    this.controls.addEventListener("change", onChange);
    this.controls.addEventListener("end", () => {
      this.moved = true;
      onMove();
    });
  }

  get target(): THREE.Vector3 {
    return this.controls.target;
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    const half = Math.tan((0.5 * Math.PI * kFieldOfView) / 180) / Math.min(aspect, 1);
    this.camera.fov = (2 * Math.atan(half) * 180) / Math.PI;
    this.camera.updateProjectionMatrix();
  }

  // All of the motion, or about as much around what is followed.
  reset(): void {
    this.last_centre.copy(this.centre());
    if (this.follow) this.target.copy(this.last_centre);
    else this.target.copy(this.middle);
    this.camera.position.copy(this.target).addScaledVector(kSides.iso, this.findDistance(kSides.iso));
    this.controls.update();
    this.moved = false;
  }

  lookFrom(side: Side): void {
    this.moved = true;
    const distance = this.camera.position.distanceTo(this.target);
    this.camera.position.copy(this.target).addScaledVector(kSides[side], distance);
    this.controls.update();
  }

  // What is followed: the picked body, else the middle of what moves.
  setPicked(body: number): void {
    this.picked = body;
    this.last_centre.copy(this.centre());
  }

  setFollow(follow: boolean): void {
    this.follow = follow;
    if (follow) this.shift(this.centre().sub(this.target));
  }

  // After the bodies were moved.
  followBodies(): void {
    const centre = this.centre();
    if (this.follow) this.shift(centre.clone().sub(this.last_centre));
    this.last_centre.copy(centre);
  }

  // Six numbers: where the camera is and where it looks; seen from what it follows.
  get place(): number[] {
    const origin = this.follow ? this.centre() : new THREE.Vector3();
    return [...this.camera.position.clone().sub(origin).toArray(), ...this.target.clone().sub(origin).toArray()];
  }

  set place(numbers: number[]) {
    const origin = this.follow ? this.centre() : new THREE.Vector3();
    this.camera.position.fromArray(numbers).add(origin);
    this.target.fromArray(numbers, 3).add(origin);
    this.controls.update();
    this.moved = true;
  }

  private shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.target.add(by);
    this.controls.update();
  }

  private centre(): THREE.Vector3 {
    return this.picked >= 0 ? this.bodies.poses.position(this.picked) : this.bodies.centre(this.framing.bodies);
  }

  // How far from the middle, in this direction, all corners of the boxes are in the picture.
  private findDistance(direction: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const half = Math.tan((0.5 * Math.PI * this.camera.fov) / 180);
    const point = new THREE.Vector3();
    let distance = 0;
    for (const { min, max } of this.boxes)
      for (let corner = 0; corner < 8; ++corner) {
        point.set((corner & 1 ? min : max).x, (corner & 2 ? min : max).y, (corner & 4 ? min : max).z).sub(this.middle);
        const wide = Math.abs(point.dot(right)) / (half * this.camera.aspect);
        const high = Math.abs(point.dot(up)) / half;
        distance = Math.max(distance, kRoom * Math.max(wide, high) + point.dot(direction));
      }
    return distance;
  }
}
