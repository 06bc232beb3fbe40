// The picture: light, ground, bodies, contacts and the camera on them. Draws only when something changed.
import * as THREE from "three";
import { Bodies } from "./bodies";
import { Contacts } from "./contacts";
import type { Recording } from "./data";
import { Ground } from "./ground";
import { roundNumber } from "./numbers";
import { currentTheme, onThemeChange } from "./theme";
import { View } from "./view";

export const kLayers = ["visual", "collision", "contacts", "frames"] as const;
export type Layer = (typeof kLayers)[number];
export const kLayersAtFirst: Layer[] = ["visual", "contacts"];

export class Stage {
  readonly bodies: Bodies;
  readonly contacts: Contacts;
  readonly view: View;
  readonly cell: number; // side of a small square of the grid, m
  onMove: () => void = () => {}; // the reader has moved the camera
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly sky = new THREE.HemisphereLight("#ffffff", "#aab0b6");
  private readonly sun = new THREE.DirectionalLight("#fffaf2");
  private readonly grounds: Ground[];
  private readonly layers: Record<Layer, THREE.Object3D>;
  private pending = false;

  constructor(canvas: HTMLCanvasElement, recording: Recording) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.bodies = new Bodies(recording);
    this.contacts = new Contacts(recording, this.bodies.extent);
    this.cell = roundNumber(this.bodies.extent / 5);
    this.view = new View(canvas, recording, this.bodies, () => this.draw(), () => this.onMove());
    this.fit();
    this.view.reset();
    this.grounds = recording.shapes
      .filter((shape) => shape.kind === "plane")
      .map((shape) => new Ground(shape, this.cell, 120 * this.view.size));
    this.placeSun();
    this.scene.add(this.sky, this.sun, this.sun.target, this.bodies.root, this.contacts.root);
    for (const ground of this.grounds) this.scene.add(ground.root);
    const { visual, collision, frames } = this.bodies;
    this.layers = { visual, collision, frames, contacts: this.contacts.root };
    for (const layer of kLayers) this.layers[layer].visible = kLayersAtFirst.includes(layer);

    this.applyTheme();
    onThemeChange(() => this.applyTheme());
    new ResizeObserver(() => {
      this.fit();
      this.draw();
    }).observe(canvas.parentElement!);
  }

  show(frame: number, fraction: number): void {
    this.bodies.show(frame, fraction);
    this.contacts.show(frame);
    this.view.followBodies();
    this.draw();
  }

  isShown(layer: Layer): boolean {
    return this.layers[layer].visible;
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.layers[layer].visible = visible;
    this.bodies.placeLayers();
    this.draw();
  }

  setPicked(body: number): void {
    this.bodies.setPicked(body);
    this.view.setPicked(body);
    this.draw();
  }

  // The body under a place of the window; -1: none.
  pickAt(x: number, y: number): number {
    const box = this.renderer.domElement.getBoundingClientRect();
    const place = new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    const ray = new THREE.Raycaster();
    this.view.camera.updateMatrixWorld();
    ray.setFromCamera(place, this.view.camera);
    return this.bodies.pick(ray);
  }

  // Where a body's frame is in the window.
  placeInWindow(body: number): { x: number; y: number } {
    const box = this.renderer.domElement.getBoundingClientRect();
    this.view.camera.updateMatrixWorld();
    const point = this.bodies.poses.position(body).project(this.view.camera);
    return { x: box.left + (0.5 + 0.5 * point.x) * box.width, y: box.top + (0.5 - 0.5 * point.y) * box.height };
  }

  // A PNG of the present view with `factor` times as many pixels as on the screen, as far as the graphics card can.
  async takePicture(factor: number): Promise<Blob> {
    const canvas = this.renderer.domElement;
    const most = this.renderer.capabilities.maxTextureSize / Math.max(canvas.width, canvas.height);
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(ratio * Math.min(factor, most));
    this.render();
    // The pixels are taken now: toBlob copies them before the next drawing.
    const picture = new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    this.renderer.setPixelRatio(ratio);
    this.draw();
    const blob = await picture;
    if (!blob) throw new Error("the browser gave no picture");
    return blob;
  }

  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }

  // Once per picture of the screen, however often it is asked for.
  draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.render();
    });
  }

  private render(): void {
    const { target, camera } = this.view;
    for (const ground of this.grounds) ground.moveUnder(target);
    const shift = target.clone().sub(this.sun.target.position);
    this.sun.position.add(shift);
    this.sun.target.position.copy(target);
    this.renderer.render(this.scene, camera);
  }

  private placeSun(): void {
    const size = 2.2 * this.view.size;
    this.sun.target.position.copy(this.view.target);
    this.sun.position.copy(this.view.target).add(new THREE.Vector3(0.25, -0.6, 1.1).multiplyScalar(3 * size));
    this.sun.castShadow = true;
    const shadow = this.sun.shadow;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 3;
    shadow.bias = -1e-4;
    shadow.normalBias = 0.002 * this.view.size;
    Object.assign(shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: size, far: 6 * size });
  }

  private applyTheme(): void {
    const theme = currentTheme();
    this.scene.background = new THREE.Color(theme.background);
    this.scene.fog = new THREE.Fog(theme.background, 9 * this.view.size, 34 * this.view.size);
    this.sky.intensity = theme.sky;
    this.sun.intensity = theme.sun;
    this.bodies.setTheme(theme);
    this.contacts.setTheme(theme);
    for (const ground of this.grounds) ground.setTheme(theme);
    this.draw();
  }

  private fit(): void {
    const box = this.renderer.domElement.parentElement!.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(box.width, box.height, false);
    this.view.setAspect(box.width / box.height);
  }
}
