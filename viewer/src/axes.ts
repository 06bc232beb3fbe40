// The frames of the bodies: x red, y green, z blue, seen through everything.
import * as THREE from "three";

const kColors = ["#e03131", "#2f9e44", "#1971c2"];

export class Axes {
  readonly mesh: THREE.InstancedMesh;
  private readonly size: THREE.Vector3;
  private readonly matrix = new THREE.Matrix4();

  constructor(bodies: number, length: number) {
    this.size = new THREE.Vector3(length, length, length);
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, fog: false });
    this.mesh = new THREE.InstancedMesh(makeTriad(), material, bodies);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 0.8;
  }

  place(bodies: THREE.Matrix4[]): void {
    bodies.forEach((body, i) => this.mesh.setMatrixAt(i, this.matrix.copy(body).scale(this.size)));
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// Three rods of length 1 from the origin along x, y and z.
function makeTriad(): THREE.BufferGeometry {
  const position: number[] = [];
  const color: number[] = [];
  kColors.forEach((name, axis) => {
    const rod = new THREE.CylinderGeometry(0.035, 0.035, 1, 8).translate(0, 0.5, 0).toNonIndexed();
    if (axis === 0) rod.rotateZ(-Math.PI / 2);
    if (axis === 2) rod.rotateX(Math.PI / 2);
    const { r, g, b } = new THREE.Color(name);
    const points = rod.getAttribute("position").array;
    position.push(...points);
    for (let i = 0; i < points.length; i += 3) color.push(r, g, b);
  });
  const triad = new THREE.BufferGeometry();
  triad.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  triad.setAttribute("color", new THREE.Float32BufferAttribute(color, 3));
  return triad;
}
