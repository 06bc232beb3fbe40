// Triangles as they are drawn: smooth where the surface is, with a crease where two triangles meet at an angle.
import * as THREE from "three";
import type { Mesh } from "./data";

// Unit normal of every triangle, and twice its area as the weight that it has in the normals of its corners.
function faceNormals({ position, index }: Mesh): { unit: Float32Array; weight: Float32Array } {
  const count = index.length / 3;
  const unit = new Float32Array(3 * count);
  const weight = new Float32Array(count);
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let face = 0; face < count; ++face) {
    a.fromArray(position, 3 * index[3 * face]!);
    b.fromArray(position, 3 * index[3 * face + 1]!).sub(a);
    c.fromArray(position, 3 * index[3 * face + 2]!).sub(a);
    b.cross(c);
    weight[face] = b.length();
    b.normalize().toArray(unit, 3 * face);
  }
  return { unit, weight };
}

// Faces around every vertex: those of v are faces[start[v] … start[v + 1]).
function facesAround({ position, index }: Mesh): { start: Uint32Array; faces: Uint32Array } {
  const start = new Uint32Array(position.length / 3 + 1);
  for (const vertex of index) ++start[vertex + 1]!;
  for (let v = 1; v < start.length; ++v) start[v]! += start[v - 1]!;
  const next = start.slice();
  const faces = new Uint32Array(index.length);
  index.forEach((vertex: number, corner: number) => { faces[next[vertex]!++] = Math.floor(corner / 3); });
  return { start, faces };
}

function dot(numbers: Float32Array, a: number, b: number): number {
  return numbers[a]! * numbers[b]! + numbers[a + 1]! * numbers[b + 1]! + numbers[a + 2]! * numbers[b + 2]!;
}

// Every corner has the mean normal of the faces around its vertex that are turned less than `crease` [rad] against its own.
export function makeCreasedGeometry(mesh: Mesh, crease: number): THREE.BufferGeometry {
  const { position, index } = mesh;
  const { unit, weight } = faceNormals(mesh);
  const { start, faces } = facesAround(mesh);
  const limit = Math.cos(crease);
  const corners = new Float32Array(3 * index.length);
  const normals = new Float32Array(3 * index.length);
  for (let corner = 0; corner < index.length; ++corner) {
    const vertex = index[corner]!;
    const own = 3 * Math.floor(corner / 3);
    let [x, y, z] = [0, 0, 0];
    for (let i = start[vertex]!; i < start[vertex + 1]!; ++i) {
      const face = faces[i]!;
      if (3 * face !== own && dot(unit, own, 3 * face) < limit) continue;
      x += weight[face]! * unit[3 * face]!;
      y += weight[face]! * unit[3 * face + 1]!;
      z += weight[face]! * unit[3 * face + 2]!;
    }
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * corner);
    corners.set([position[3 * vertex]!, position[3 * vertex + 1]!, position[3 * vertex + 2]!], 3 * corner);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  return geometry;
}

// Edges where the surface turns by more than `crease`, and those that belong to one triangle only.
export function makeCreaseLines(mesh: Mesh, crease: number): THREE.BufferGeometry {
  const { position, index } = mesh;
  const { unit } = faceNormals(mesh);
  const limit = Math.cos(crease);
  const vertices = position.length / 3;
  const waiting = new Map<number, number>(); // edge → its first face
  const sharp: number[] = [];
  for (let corner = 0; corner < index.length; ++corner) {
    const a = index[corner]!;
    const b = index[corner % 3 === 2 ? corner - 2 : corner + 1]!;
    const face = Math.floor(corner / 3);
    const edge = Math.min(a, b) * vertices + Math.max(a, b);
    const other = waiting.get(edge);
    if (other === undefined) waiting.set(edge, face);
    else {
      if (dot(unit, 3 * face, 3 * other) < limit) sharp.push(a, b);
      waiting.delete(edge);
    }
  }
  for (const edge of waiting.keys()) sharp.push(Math.floor(edge / vertices), edge % vertices);
  return makeLines(position, sharp);
}

// Lines along the rows and the columns of a height field; of a fine one every second, fourth … of them.
export function makeGridLines({ position, columns = 2 }: Mesh): THREE.BufferGeometry {
  const rows = position.length / 3 / columns;
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(rows, columns) / 64)));
  const pairs: number[] = [];
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const at = row * columns + column;
      if (column + 1 < columns && row % step === 0) pairs.push(at, at + 1);
      if (row + 1 < rows && column % step === 0) pairs.push(at, at + columns);
    }
  return makeLines(position, pairs);
}

function makeLines(position: Float32Array, pairs: number[]): THREE.BufferGeometry {
  const ends = new Float32Array(3 * pairs.length);
  pairs.forEach((vertex, i) => ends.set(position.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
  return new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(ends, 3));
}
