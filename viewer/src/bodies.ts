// The bodies in three layers: what they look like, what they collide with, where their frames are.
import * as THREE from "three";
import { Axes } from "./axes";
import { Bones } from "./bones";
import type { Recording, Shape, Visual } from "./data";
import { Forms } from "./forms";
import { PartLayer, type Part } from "./parts";
import { poseMatrix, Poses } from "./poses";
import type { Theme } from "./theme";

const kCollisionOpacity = 0.3;
const kHighlight = 0.6; // share of the highlight in the colour of a picked body

// A ball around a shape, or a mere point for a body's origin: rough, but enough to aim a camera.
export interface Ball {
  body: number;
  point: THREE.Vector3; // in its body
  radius: number;
}

export interface DrawnPart {
  layer: "visual" | "collision";
  name: string;
  body: number;
  kind: string;
  color: string; // #rrggbb
  opacity: number;
  low: [number, number, number]; // corners of the box around its triangles, in the world
  high: [number, number, number];
}

export class Bodies {
  readonly root = new THREE.Group();
  readonly poses: Poses;
  readonly balls: Ball[];
  readonly extent: number; // radius of a typical set of bodies, m: measure of bones, arrows and grid
  readonly visual = new THREE.Group();
  readonly collision: THREE.Group;
  readonly frames: THREE.Object3D;
  private readonly looks: PartLayer; // of bodies that have their own
  private readonly bare: PartLayer; // shapes of all others
  private readonly solids: PartLayer; // what collides
  private readonly bones: Bones;
  private readonly axes: Axes;
  private theme: Theme | null = null;
  private picked = -1;

  constructor(private readonly recording: Recording) {
    const { bodies, shapes, visuals, meshes } = recording;
    this.poses = new Poses(recording);
    const forms = new Forms(meshes, shapes.length + visuals.length);
    this.balls = makeBalls(recording, forms);
    this.extent = this.measure();

    const owners = new Set(visuals.map((visual) => visual.body));
    const opaque = (shape: Shape): Part => ({ shape, opacity: 1 });
    const own = visuals.map((shape): Part => ({ shape, opacity: hasColor(shape) ? Math.min(shape.rgba[3], 1) : 1 }));
    this.looks = new PartLayer(own, forms, { marks: false, shadow: true, roughness: 0.55 });
    this.bare = new PartLayer(shapes.filter((shape) => !owners.has(shape.body)).map(opaque), forms,
      { marks: true, shadow: true, roughness: 0.6 });
    this.solids = new PartLayer(shapes.map((shape): Part => ({ shape, opacity: kCollisionOpacity })), forms,
      { marks: true, shadow: false, roughness: 0.8 });
    this.solids.mark_material.opacity = 0.9;
    this.bones = new Bones(recording, 0.015 * this.extent);
    this.axes = new Axes(bodies.length, 0.15 * this.extent);
    this.visual.add(this.looks.root, this.bare.root, this.bones.mesh);
    this.collision = this.solids.root;
    this.frames = this.axes.mesh;
    this.root.add(this.visual, this.collision, this.frames);
    this.show(0, 0);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.paint();
  }

  setPicked(body: number): void {
    this.picked = body;
    this.paint();
  }

  // Puts the bodies at a frame, or between it and the next one (0 ≤ fraction < 1).
  show(frame: number, fraction: number): void {
    this.poses.show(frame, fraction);
    this.placeLayers();
  }

  // Layers that are not seen are not moved: call this when one becomes visible.
  placeLayers(): void {
    const { matrices } = this.poses;
    if (this.visual.visible) for (const part of [this.looks, this.bare, this.bones]) part.place(matrices);
    if (this.collision.visible) this.solids.place(matrices);
    if (this.frames.visible) this.axes.place(matrices);
  }

  // The body whose visible shape is nearest on a ray; -1: the world or nothing.
  pick(ray: THREE.Raycaster): number {
    const layers = this.visual.visible ? [this.looks, this.bare, this.bones] : [];
    const hits = [...layers, ...(this.collision.visible ? [this.solids] : [])]
      .map((layer) => layer.pick(ray))
      .filter((hit) => hit !== null)
      .sort((a, b) => a.distance - b.distance);
    return hits[0]?.body ?? -1;
  }

  // Mean of the places of some bodies, weighted with their masses.
  centre(bodies: number[]): THREE.Vector3 {
    const sum = new THREE.Vector3();
    let mass = 0;
    for (const body of bodies) {
      const m = this.recording.bodies[body]!.mass + 1e-9; // massless ones alone still have a middle
      sum.addScaledVector(this.poses.position(body), m);
      mass += m;
    }
    return mass > 0 ? sum.divideScalar(mass) : sum;
  }

  drawn(): DrawnPart[] {
    const list = (layer: DrawnPart["layer"], parts: PartLayer) =>
      parts.drawn().map(({ shape, color, opacity, box }): DrawnPart => ({
        layer, name: shape.name, body: shape.body, kind: shape.kind, color, opacity,
        low: box.min.toArray(), high: box.max.toArray(),
      }));
    return [
      ...(this.visual.visible ? [...list("visual", this.looks), ...list("visual", this.bare)] : []),
      ...(this.collision.visible ? list("collision", this.solids) : []),
    ];
  }

  private paint(): void {
    const { theme } = this;
    if (!theme) return;
    const colors = this.bodyColors(theme);
    const fixed = new THREE.Color(theme.fixed);
    const highlight = new THREE.Color(theme.picked);
    const mix = new THREE.Color();
    const lit = (color: THREE.Color, body: number) =>
      body >= 0 && body === this.picked ? mix.copy(color).lerp(highlight, kHighlight) : color;
    const own = new THREE.Color();
    const given = ([r, g, b]: Visual["rgba"]) => own.setRGB(r, g, b, THREE.SRGBColorSpace);
    this.looks.paint(({ shape }) => lit(hasColor(shape) ? given(shape.rgba) : colors[shape.body]!, shape.body));
    this.bare.paint(({ shape }) => lit(colors[shape.body] ?? fixed, shape.body));
    const solid = new THREE.Color(theme.collision);
    this.solids.paint(({ shape }) => lit(solid, shape.body));
    this.bare.mark_material.color.set(theme.edge);
    this.solids.mark_material.color.set(theme.collision);
    this.bones.paint(theme.bone);
  }

  // Bodies that hang on the world in turn, those further down by their depth in the tree of joints.
  private bodyColors(theme: Theme): THREE.Color[] {
    const { bodies } = this.recording;
    const depth: number[] = []; // parents come before children
    let root = 0;
    return bodies.map(({ parent }, body) => {
      depth[body] = parent < 0 ? 0 : depth[parent]! + 1;
      const [palette, index] = parent < 0 ? [theme.roots, root++] : [theme.links, depth[body]! - 1];
      return new THREE.Color(palette[index % palette.length]!);
    });
  }

  // Bodies that start far apart (a heap, two robots) must not make bones and arrows thick: the median of the
  // distances to the middle is what counts.
  private measure(): number {
    const centre = this.centre(this.recording.bodies.map((_, body) => body));
    const reach = this.balls.map((ball) => {
      const point = ball.point.clone().applyMatrix4(this.poses.matrices[ball.body]!);
      return point.distanceTo(centre) + ball.radius;
    });
    reach.sort((a, b) => a - b);
    return Math.max(reach[reach.length >> 1] ?? 1, 1e-3);
  }
}

function hasColor(shape: Shape): shape is Visual {
  const rgba = (shape as Partial<Visual>).rgba;
  return rgba !== undefined && rgba.every((x) => x !== null && x >= 0);
}

function makeBalls(recording: Recording, forms: Forms): Ball[] {
  const balls: Ball[] = recording.bodies.map((_, body) => ({ body, point: new THREE.Vector3(), radius: 0 }));
  for (const shape of [...recording.shapes, ...recording.visuals]) {
    if (shape.body < 0 || forms.key(shape) === undefined) continue;
    const { surface } = forms.find(shape);
    if (!surface.boundingSphere) surface.computeBoundingSphere();
    const { center, radius } = surface.boundingSphere!;
    const scale = forms.scale(shape);
    // Of the box around a scaled ball the half diagonal; of a ball itself, its radius.
    const size = shape.kind === "box" ? scale.length() : radius * Math.max(scale.x, scale.y, scale.z);
    balls.push({ body: shape.body, point: center.clone().applyMatrix4(poseMatrix(shape.pose, scale)), radius: size });
  }
  return balls;
}
