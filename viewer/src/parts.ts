// A layer of shapes that move with bodies: all shapes of one form are one draw call, however many there are.
import * as THREE from "three";
import type { Shape } from "./data";
import type { Forms } from "./forms";
import { poseMatrix } from "./poses";

export interface Part {
  shape: Shape;
  opacity: number;
}

export interface Look {
  marks: boolean; // lines that show how a shape is turned
  shadow: boolean;
  roughness: number;
}

// Lines drawn once for every matrix. Three has this for triangles only; its renderer asks for nothing but these members.
class InstancedLines extends THREE.LineSegments {
  readonly isInstancedMesh = true;
  readonly instanceColor = null;
  readonly morphTexture = null;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material,
              readonly instanceMatrix: THREE.InstancedBufferAttribute, public count: number) {
    super(geometry, material);
    this.frustumCulled = false;
  }
}

interface Batch {
  parts: Part[];
  local: THREE.Matrix4[]; // form in the body
  mesh: THREE.InstancedMesh;
}

export class PartLayer {
  readonly root = new THREE.Group();
  readonly mark_material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 });
  private readonly batches: Batch[] = [];
  private readonly matrix = new THREE.Matrix4();

  constructor(parts: Part[], private readonly forms: Forms, look: Look) {
    const groups = new Map<string, Part[]>();
    for (const part of parts) {
      const form = forms.key(part.shape);
      if (form === undefined) continue;
      const key = `${form} ${part.opacity}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key)!.push(part);
    }
    for (const group of groups.values()) this.addBatch(group, look);
  }

  // Matrices of the bodies in the world.
  place(bodies: THREE.Matrix4[]): void {
    for (const { parts, local, mesh } of this.batches) {
      parts.forEach(({ shape }, i) => {
        const body = bodies[shape.body];
        if (body) this.matrix.multiplyMatrices(body, local[i]!);
        mesh.setMatrixAt(i, body ? this.matrix : local[i]!);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // that of the last place; found anew when someone points
    }
  }

  paint(color: (part: Part) => THREE.Color): void {
    for (const { parts, mesh } of this.batches) {
      parts.forEach((part, i) => mesh.setColorAt(i, color(part)));
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  // The nearest shape on a ray.
  pick(ray: THREE.Raycaster): { body: number; distance: number } | null {
    const [hit] = ray.intersectObjects(this.batches.map((batch) => batch.mesh), false);
    if (!hit) return null;
    const { parts } = this.batches.find((batch) => batch.mesh === hit.object)!;
    return { body: parts[hit.instanceId!]!.shape.body, distance: hit.distance };
  }

  // What goes to the graphics card: every shape, its colour and the box around its triangles in the world.
  drawn(): { shape: Shape; opacity: number; color: string; box: THREE.Box3 }[] {
    const matrix = new THREE.Matrix4();
    const color = new THREE.Color();
    return this.batches.flatMap(({ parts, mesh }) => parts.map(({ shape, opacity }, i) => {
      mesh.getMatrixAt(i, matrix);
      mesh.getColorAt(i, color);
      const box = new THREE.Box3().setFromBufferAttribute(
        mesh.geometry.getAttribute("position").clone().applyMatrix4(matrix) as THREE.BufferAttribute);
      return { shape, opacity, color: `#${color.getHexString()}`, box };
    }));
  }

  private addBatch(parts: Part[], look: Look): void {
    const { shape, opacity } = parts[0]!;
    const { surface, marks } = this.forms.find(shape);
    const material = new THREE.MeshStandardMaterial({
      roughness: look.roughness,
      transparent: opacity < 1, opacity, depthWrite: opacity === 1,
      side: shape.mesh === undefined ? THREE.FrontSide : THREE.DoubleSide, // meshes may be open or inside out
      shadowSide: THREE.BackSide, // what the sun sees would cast shadow on itself, in specks
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, // so that the lines on them are seen whole
    });
    const mesh = new THREE.InstancedMesh(surface, material, parts.length);
    mesh.frustumCulled = false;
    mesh.castShadow = look.shadow && opacity > 0.5;
    mesh.receiveShadow = look.shadow;
    mesh.renderOrder = opacity < 1 ? 0.5 : 0; // after what is solid, before the contacts
    this.root.add(mesh);
    if (look.marks) this.root.add(new InstancedLines(marks, this.mark_material, mesh.instanceMatrix, parts.length));
    const local = parts.map((part) => poseMatrix(part.shape.pose, this.forms.scale(part.shape)));
    this.batches.push({ parts, local, mesh });
  }
}
