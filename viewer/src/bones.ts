// Rods between the frames of bodies that a joint connects, so that links without a shape are seen too.
import * as THREE from "three";
import type { Recording } from "./data";

interface Bone {
  body_1: number;
  point_1: THREE.Vector3; // in its body
  body_2: number;
  point_2: THREE.Vector3;
}

export class Bones {
  readonly mesh: THREE.InstancedMesh;
  private readonly bones: Bone[];
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.7 });

  constructor(recording: Recording, radius: number) {
    this.bones = listBones(recording);
    const cylinder = new THREE.CylinderGeometry(radius, radius, 1, 12).rotateX(Math.PI / 2);
    this.mesh = new THREE.InstancedMesh(cylinder, this.material, this.bones.length);
    this.mesh.castShadow = true;
    this.mesh.frustumCulled = false;
  }

  paint(color: THREE.ColorRepresentation): void {
    this.material.color.set(color);
  }

  place(bodies: THREE.Matrix4[]): void {
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const axis = new THREE.Vector3(0, 0, 1);
    this.bones.forEach((bone, index) => {
      from.copy(bone.point_1).applyMatrix4(bodies[bone.body_1]!);
      to.copy(bone.point_2).applyMatrix4(bodies[bone.body_2]!);
      const middle = from.clone().add(to).multiplyScalar(0.5);
      const length = from.distanceTo(to);
      turn.setFromUnitVectors(axis, length > 0 ? to.sub(from).divideScalar(length) : axis);
      this.mesh.setMatrixAt(index, matrix.compose(middle, turn, new THREE.Vector3(1, 1, length)));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  pick(ray: THREE.Raycaster): { body: number; distance: number } | null {
    const [hit] = ray.intersectObject(this.mesh, false);
    return hit ? { body: this.bones[hit.instanceId!]!.body_1, distance: hit.distance } : null;
  }
}

// Bodies with looks of their own need none.
function listBones(recording: Recording): Bone[] {
  const origin = new THREE.Vector3();
  const looks = new Set(recording.visuals.map((visual) => visual.body));
  const bones: Bone[] = [];
  recording.bodies.forEach((body, index) => {
    if (body.parent >= 0 && !looks.has(body.parent) && !looks.has(index))
      bones.push({ body_1: body.parent, point_1: origin, body_2: index, point_2: origin });
  });
  // A shape that hangs off its joint, like a foot at the end of a shank, gets a bone if the body is part of a tree.
  const parents = new Set(recording.bodies.map((body) => body.parent));
  for (const shape of recording.shapes) {
    if (shape.body < 0 || looks.has(shape.body)) continue;
    if (recording.bodies[shape.body]!.parent < 0 && !parents.has(shape.body)) continue;
    const point = new THREE.Vector3(shape.pose[0], shape.pose[1], shape.pose[2]);
    if (point.length() > Math.max(...shape.size))
      bones.push({ body_1: shape.body, point_1: origin, body_2: shape.body, point_2: point });
  }
  return bones;
}
