// The surface of every kind of shape, and the lines on it that show how it is turned. Shapes of one form differ by a scale
// only and are drawn together.
import * as THREE from "three";
import { makeCreasedGeometry, makeCreaseLines, makeGridLines } from "./creases";
import type { Mesh, Shape } from "./data";

const kMeshCrease = 0.6; // rad; a cylinder of 12 sides is still smooth
const kHullCrease = 0.02; // the sides of a hull are flat
const kManyShapes = 200; // from here on round shapes are drawn with fewer triangles

export interface Form {
  surface: THREE.BufferGeometry;
  marks: THREE.BufferGeometry;
}

export class Forms {
  private readonly made = new Map<string, Form>();
  private readonly detail: number; // 1, or less where there are many shapes

  constructor(private readonly meshes: Mesh[], shapes: number) {
    this.detail = shapes > kManyShapes ? 0.5 : 1;
  }

  // Equal keys mean the same form; undefined: there is nothing to draw.
  key(shape: Shape): string | undefined {
    switch (shape.kind) {
      case "plane": return undefined;
      case "ellipsoid": return "sphere";
      case "capsule": return `capsule ${(shape.size[1] / shape.size[0]).toPrecision(6)}`;
      case "hull": case "triangles": case "height field":
        return shape.mesh === undefined ? undefined : `${shape.kind} ${shape.mesh}`;
      default: return shape.kind;
    }
  }

  scale(shape: Shape): THREE.Vector3 {
    const [a, b] = shape.size;
    switch (shape.kind) {
      case "sphere": case "capsule": return new THREE.Vector3(a, a, a);
      case "cylinder": case "cone": return new THREE.Vector3(a, a, b);
      case "box": case "ellipsoid": return new THREE.Vector3(...shape.size);
      default: return new THREE.Vector3(1, 1, 1);
    }
  }

  find(shape: Shape): Form {
    const key = this.key(shape)!;
    let form = this.made.get(key);
    if (!form) this.made.set(key, (form = this.make(shape)));
    return form;
  }

  private make(shape: Shape): Form {
    const round = (count: number) => Math.round(this.detail * count);
    const standing = (geometry: THREE.BufferGeometry) => geometry.rotateX(Math.PI / 2); // three's axis is y, ours z
    switch (shape.kind) {
      case "box": {
        const surface = new THREE.BoxGeometry(2, 2, 2);
        return { surface, marks: new THREE.EdgesGeometry(surface) };
      }
      case "cylinder":
        return { surface: standing(new THREE.CylinderGeometry(1, 1, 2, round(48))), marks: makeRims([1, -1], 1) };
      case "cone":
        return { surface: standing(new THREE.ConeGeometry(1, 2, round(48), round(8))), marks: makeRims([-1], 0) };
      case "capsule": {
        const half = shape.size[1] / shape.size[0];
        const surface = standing(new THREE.CapsuleGeometry(1, 2 * half, round(12), round(32)));
        return { surface, marks: makeMeridians(half) };
      }
      case "hull": case "triangles": case "height field": return this.makeMesh(shape);
      default: return { surface: standing(new THREE.SphereGeometry(1, round(40), round(24))), marks: makeMeridians(0) };
    }
  }

  private makeMesh(shape: Shape): Form {
    const mesh = this.meshes[shape.mesh!]!;
    const crease = shape.kind === "hull" ? kHullCrease : kMeshCrease;
    const surface = makeCreasedGeometry(mesh, crease);
    return { surface, marks: mesh.columns ? makeGridLines(mesh) : makeCreaseLines(mesh, crease) };
  }
}

const kAbove = 1.002; // lines a little above the surface
const kSides = 64;

function makeCircle(point: (cos: number, sin: number) => THREE.Vector3): THREE.Vector3[] {
  const points = Array.from({ length: kSides + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / kSides;
    return point(kAbove * Math.cos(angle), kAbove * Math.sin(angle));
  });
  return points.slice(1).flatMap((end, i) => [points[i]!, end]);
}

// Two circles along the axis, stretched by ±half: great circles of a sphere, lines along a capsule.
function makeMeridians(half: number): THREE.BufferGeometry {
  const along = (sin: number) => sin + (sin >= 0 ? half : -half);
  return new THREE.BufferGeometry().setFromPoints([
    ...makeCircle((cos, sin) => new THREE.Vector3(cos, 0, along(sin))),
    ...makeCircle((cos, sin) => new THREE.Vector3(0, cos, along(sin))),
  ]);
}

// Circles of radius 1 at these heights, and four lines along the side, which has the radius `top` at height 1.
function makeRims(heights: number[], top: number): THREE.BufferGeometry {
  const points = heights.flatMap((z) => makeCircle((cos, sin) => new THREE.Vector3(cos, sin, z)));
  for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]])
    points.push(new THREE.Vector3(kAbove * x!, kAbove * y!, -1), new THREE.Vector3(top * kAbove * x!, top * kAbove * y!, 1));
  return new THREE.BufferGeometry().setFromPoints(points);
}
