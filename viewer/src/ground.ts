// A plane of the world as a grid without visible end: a large square that moves along with the camera in whole cells.
import * as THREE from "three";
import { readPose } from "./poses";
import type { Shape } from "./data";
import type { Theme } from "./theme";

const kMajor = 10; // cells between two strong lines

export class Ground {
  readonly root = new THREE.Group(); // at the plane's frame
  private readonly square: THREE.Mesh;
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 1 });
  private readonly line = { value: new THREE.Color() };
  private readonly cell: number;

  constructor(shape: Shape, cell: number, size: number) {
    this.cell = cell;
    readPose(shape.pose, 0, this.root.position, this.root.quaternion);
    this.material.onBeforeCompile = (shader) => drawGrid(shader, this.line, cell);
    this.square = new THREE.Mesh(new THREE.PlaneGeometry(size, size), this.material);
    this.square.receiveShadow = true;
    this.root.add(this.square);
    this.root.updateMatrixWorld(true);
  }

  setTheme(theme: Theme): void {
    this.material.color.set(theme.ground);
    this.line.value.set(theme.line);
  }

  // Whole strong cells, so that the lines stay where they are in the world.
  moveUnder(point: THREE.Vector3): void {
    const step = this.cell * kMajor;
    const local = this.root.worldToLocal(point.clone());
    this.square.position.set(Math.round(local.x / step) * step, Math.round(local.y / step) * step, 0);
    this.root.updateMatrixWorld(true);
  }
}

// Lines one pixel wide that fade where cells become smaller than a few pixels.
function drawGrid(shader: THREE.WebGLProgramParametersWithUniforms, line: { value: THREE.Color }, cell: number): void {
  shader.uniforms.line_color = line;
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", "#include <common>\nvarying vec2 v_place;")
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nv_place = position.xy;");
  shader.fragmentShader = shader.fragmentShader
    .replace(
      "#include <common>",
      `#include <common>
      varying vec2 v_place;
      uniform vec3 line_color;
      float gridLine(float cell) {
        vec2 place = v_place / cell;
        vec2 width = fwidth(place);
        vec2 distance = abs(fract(place - 0.5) - 0.5) / width;
        float fade = 1.0 - smoothstep(0.1, 0.4, max(width.x, width.y));
        return (1.0 - min(min(distance.x, distance.y), 1.0)) * fade;
      }`,
    )
    .replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      float fine = gridLine(${cell.toExponential()});
      float strong = gridLine(${(cell * kMajor).toExponential()});
      float strength = max(0.28 * fine, 0.6 * strong);
      diffuseColor.rgb = mix(diffuseColor.rgb, line_color, strength);`,
    );
}
