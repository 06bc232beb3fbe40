// The bodies: their collision shapes, and bones between the frames of bodies that a joint connects, so that links
// without a shape are seen too.
import * as THREE from "three";
import type { Frames, Recording, Shape } from "./data";
import type { Theme } from "./theme";

// Faster than this from one frame to the next is a reset of the scene, not a motion.
const kResetSpeed = 60; // m/s

interface Bone {
  body_1: number;
  point_1: THREE.Vector3; // in its body
  body_2: number;
  point_2: THREE.Vector3;
}

// A ball around a shape, or a mere point for a body's origin: rough, but enough to aim a camera.
interface Ball {
  body: number;
  point: THREE.Vector3; // in its body
  radius: number;
}

export function applyPose(object: THREE.Object3D, pose: ArrayLike<number>, at = 0): void {
  object.position.set(pose[at]!, pose[at + 1]!, pose[at + 2]!);
  object.quaternion.set(pose[at + 4]!, pose[at + 5]!, pose[at + 6]!, pose[at + 3]!);
}

// Faces step back a little, so that the lines on them are seen whole.
function makeMaterial(roughness: number): THREE.MeshStandardMaterial {
  const back = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
  return new THREE.MeshStandardMaterial({ roughness, ...back });
}

function makeGeometry(shape: Shape): THREE.BufferGeometry {
  const [a, b, c] = shape.size;
  if (shape.kind === "sphere") return new THREE.SphereGeometry(a, 40, 24);
  if (shape.kind === "box") return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
  return new THREE.CapsuleGeometry(a, 2 * b, 12, 32).rotateX(Math.PI / 2); // three's axis is y, ours z
}

// Lines that show how a shape is turned: edges of a box, two great circles of a sphere, four lines along a capsule.
function makeMarks(shape: Shape): THREE.BufferGeometry {
  if (shape.kind === "box") return new THREE.EdgesGeometry(makeGeometry(shape));
  const [radius, half] = shape.kind === "sphere" ? [shape.size[0], 0] : [shape.size[0], shape.size[1]];
  const points: THREE.Vector3[] = [];
  const at = (angle: number, side: number) => {
    const x = radius * 1.002 * Math.cos(angle);
    const z = radius * 1.002 * Math.sin(angle);
    const shift = z >= 0 ? half : -half;
    return side ? new THREE.Vector3(x, 0, z + shift) : new THREE.Vector3(0, x, z + shift);
  };
  const count = 64;
  for (const side of [0, 1])
    for (let i = 0; i < count; ++i)
      points.push(at((2 * Math.PI * i) / count, side), at((2 * Math.PI * (i + 1)) / count, side));
  return new THREE.BufferGeometry().setFromPoints(points);
}

export class Bodies {
  readonly root = new THREE.Group();
  readonly groups: THREE.Group[]; // one per body, at its frame
  readonly extent: number; // radius of a typical set of bodies, m: measure of bones, arrows and grid
  private readonly recording: Recording;
  private readonly materials: THREE.MeshStandardMaterial[]; // one per body
  private readonly fixed_material = makeMaterial(0.8);
  private readonly edge_material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 });
  private readonly bone_material = makeMaterial(0.7);
  private readonly balls: Ball[];
  private readonly bones: Bone[] = [];
  private readonly bone_mesh: THREE.InstancedMesh;

  constructor(recording: Recording) {
    this.recording = recording;
    this.groups = recording.bodies.map(() => new THREE.Group());
    this.materials = recording.bodies.map(() => makeMaterial(0.6));
    this.root.add(...this.groups);
    for (const shape of recording.shapes) if (shape.kind !== "plane") this.addShape(shape);
    this.addBones();
    this.placeBodies(0, 0);
    this.balls = makeBalls(recording);
    this.extent = this.measure();

    const radius = 0.015 * this.extent;
    const cylinder = new THREE.CylinderGeometry(radius, radius, 1, 12).rotateX(Math.PI / 2);
    this.bone_mesh = new THREE.InstancedMesh(cylinder, this.bone_material, this.bones.length);
    this.bone_mesh.castShadow = true;
    this.bone_mesh.frustumCulled = false;
    this.root.add(this.bone_mesh);
    this.show(0, 0);
  }

  setTheme(theme: Theme): void {
    let root = 0;
    this.materials.forEach((material, body) => {
      const depth = this.depth(body);
      const [palette, index] = depth > 0 ? [theme.links, depth - 1] : [theme.roots, root++];
      material.color.set(palette[index % palette.length]!);
    });
    this.fixed_material.color.set(theme.fixed);
    this.edge_material.color.set(theme.edge);
    this.bone_material.color.set(theme.bone);
  }

  // Puts the bodies at a frame, or between it and the next one (0 ≤ fraction < 1).
  show(frame: number, fraction: number): void {
    this.placeBodies(frame, fraction);
    this.placeBones();
  }

  // Mean of the bodies' places, weighted with their masses.
  centre(): THREE.Vector3 {
    const sum = new THREE.Vector3();
    let mass = 0;
    this.groups.forEach((group, body) => {
      const m = this.recording.bodies[body]!.mass + 1e-9; // massless ones alone still have a middle
      sum.addScaledVector(group.position, m);
      mass += m;
    });
    return mass > 0 ? sum.divideScalar(mass) : sum;
  }

  // Box around all bodies in the first `count` frames.
  motionBox(count: number): THREE.Box3 {
    const { frames, bodies } = this.recording;
    const box = new THREE.Box3();
    const body = new THREE.Object3D();
    const point = new THREE.Vector3();
    for (let frame = 0; frame < Math.min(count, frames.count); ++frame)
      for (const ball of this.balls) {
        applyPose(body, frames.pose, 7 * (frame * bodies.length + ball.body));
        point.copy(ball.point).applyQuaternion(body.quaternion).add(body.position);
        box.expandByPoint(point.addScalar(ball.radius)).expandByPoint(point.addScalar(-2 * ball.radius));
      }
    return box;
  }

  private placeBodies(frame: number, fraction: number): void {
    const { frames, bodies } = this.recording;
    const stride = 7 * bodies.length;
    const between = fraction > 0 && frame + 1 < frames.count;
    const next = new THREE.Object3D();
    this.groups.forEach((group, body) => {
      const at = frame * stride + 7 * body;
      applyPose(group, frames.pose, at);
      if (between && !isReset(frames, frame, at, stride)) {
        applyPose(next, frames.pose, at + stride);
        group.position.lerp(next.position, fraction);
        group.quaternion.slerp(next.quaternion, fraction);
      }
    });
    this.root.updateMatrixWorld(true);
  }

  private depth(body: number): number {
    const parent = this.recording.bodies[body]!.parent;
    return parent < 0 ? 0 : 1 + this.depth(parent);
  }

  private addShape(shape: Shape): void {
    const mesh = new THREE.Mesh(makeGeometry(shape), this.materials[shape.body] ?? this.fixed_material);
    mesh.name = shape.name;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.add(new THREE.LineSegments(makeMarks(shape), this.edge_material));
    applyPose(mesh, shape.pose);
    (shape.body < 0 ? this.root : this.groups[shape.body]!).add(mesh);
  }

  private addBones(): void {
    const origin = new THREE.Vector3();
    this.recording.bodies.forEach((body, index) => {
      if (body.parent >= 0)
        this.bones.push({ body_1: body.parent, point_1: origin, body_2: index, point_2: origin });
    });
    // A shape that hangs off its joint, like a foot at the end of a shank, gets a bone if the body is part of a tree.
    const parents = new Set(this.recording.bodies.map((body) => body.parent));
    for (const shape of this.recording.shapes) {
      if (shape.body < 0 || (this.recording.bodies[shape.body]!.parent < 0 && !parents.has(shape.body))) continue;
      const point = new THREE.Vector3(shape.pose[0], shape.pose[1], shape.pose[2]);
      if (point.length() > Math.max(...shape.size))
        this.bones.push({ body_1: shape.body, point_1: origin, body_2: shape.body, point_2: point });
    }
  }

  private placeBones(): void {
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const axis = new THREE.Vector3(0, 0, 1);
    this.bones.forEach((bone, index) => {
      from.copy(bone.point_1).applyMatrix4(this.groups[bone.body_1]!.matrixWorld);
      to.copy(bone.point_2).applyMatrix4(this.groups[bone.body_2]!.matrixWorld);
      const middle = from.clone().add(to).multiplyScalar(0.5);
      const length = from.distanceTo(to);
      turn.setFromUnitVectors(axis, length > 0 ? to.sub(from).divideScalar(length) : axis);
      this.bone_mesh.setMatrixAt(index, matrix.compose(middle, turn, new THREE.Vector3(1, 1, length)));
    });
    this.bone_mesh.instanceMatrix.needsUpdate = true;
  }

  // Bodies that start far apart (a heap, two robots) must not make bones and arrows thick: the median of the
  // distances to the middle is what counts.
  private measure(): number {
    const centre = this.centre();
    const reach = this.balls.map((ball) => {
      const point = ball.point.clone().applyMatrix4(this.groups[ball.body]!.matrixWorld);
      return point.distanceTo(centre) + ball.radius;
    });
    reach.sort((a, b) => a - b);
    return Math.max(reach[reach.length >> 1] ?? 1, 1e-3);
  }
}

function makeBalls(recording: Recording): Ball[] {
  const balls: Ball[] = recording.bodies.map((_, body) => ({ body, point: new THREE.Vector3(), radius: 0 }));
  for (const { body, kind, size, pose } of recording.shapes) {
    if (body < 0) continue;
    const radius = kind === "box" ? Math.hypot(...size) : size[0] + (kind === "capsule" ? size[1] : 0);
    balls.push({ body, point: new THREE.Vector3().fromArray(pose), radius });
  }
  return balls;
}

function isReset(frames: Frames, frame: number, at: number, stride: number): boolean {
  const distance = Math.hypot(...[0, 1, 2].map((k) => frames.pose[at + stride + k]! - frames.pose[at + k]!));
  return distance > kResetSpeed * (frames.time[frame + 1]! - frames.time[frame]!);
}
