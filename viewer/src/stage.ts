// The picture: camera, light, ground, bodies and contacts. Draws only when something changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Bodies } from "./bodies";
import { Contacts } from "./contacts";
import type { Recording } from "./data";
import { Ground } from "./ground";
import { roundNumber } from "./numbers";
import { currentTheme, onThemeChange } from "./theme";

const kFieldOfView = 35; // degrees, over the shorter side of the picture

export class Stage {
  readonly bodies: Bodies;
  readonly contacts: Contacts;
  readonly cell: number; // side of a small square of the grid, m
  follow = false;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(kFieldOfView, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly sky = new THREE.HemisphereLight("#ffffff", "#aab0b6");
  private readonly sun = new THREE.DirectionalLight("#fffaf2");
  private readonly grounds: Ground[];
  private readonly view_size: number; // radius of what the camera looks at, m
  private readonly last_centre = new THREE.Vector3();
  private pending = false;

  constructor(canvas: HTMLCanvasElement, recording: Recording) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.fit();
    this.bodies = new Bodies(recording);
    this.contacts = new Contacts(recording, this.bodies.extent);
    this.cell = roundNumber(this.bodies.extent / 5);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.view_size = this.placeCamera();
    this.grounds = recording.shapes
      .filter((shape) => shape.kind === "plane")
      .map((shape) => new Ground(shape, this.cell, 120 * this.view_size));
    this.placeSun();
    this.scene.add(this.sky, this.sun, this.sun.target, this.bodies.root, this.contacts.root);
    for (const ground of this.grounds) this.scene.add(ground.root);

    this.applyTheme();
    onThemeChange(() => this.applyTheme());
    this.controls.addEventListener("change", () => this.draw());
    new ResizeObserver(() => {
      this.fit();
      this.draw();
    }).observe(canvas.parentElement!);
  }

  show(frame: number, fraction: number): void {
    this.bodies.show(frame, fraction);
    this.contacts.show(frame);
    const centre = this.bodies.centre();
    if (this.follow) {
      const moved = centre.clone().sub(this.last_centre);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.controls.update();
    }
    this.last_centre.copy(centre);
    this.draw();
  }

  setFollow(follow: boolean): void {
    this.follow = follow;
    if (!follow) return;
    const moved = this.bodies.centre().sub(this.controls.target);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.controls.update();
    this.draw();
  }

  // Whoever travels further than a few times the own size leaves the view of a camera that stands still.
  shouldFollow(): boolean {
    const size = (frames: number) => this.bodies.motionBox(frames).getSize(new THREE.Vector3()).length();
    return size(Infinity) > 2.5 * size(1);
  }

  targetPosition(): [number, number, number] {
    return this.controls.target.toArray();
  }

  // Once per picture of the screen, however often it is asked for.
  private draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const target = this.controls.target;
      for (const ground of this.grounds) ground.moveUnder(target);
      const shift = target.clone().sub(this.sun.target.position);
      this.sun.position.add(shift);
      this.sun.target.position.copy(target);
      this.renderer.render(this.scene, this.camera);
    });
  }

  // All of the motion, or the start if the camera will follow. Returns the radius in view.
  private placeCamera(): number {
    const start = this.bodies.centre();
    const box = this.bodies.motionBox(this.shouldFollow() ? 1 : Infinity);
    if (box.isEmpty()) box.setFromCenterAndSize(start, new THREE.Vector3(2, 2, 2));
    const radius = 0.5 * box.getSize(new THREE.Vector3()).length();
    box.getCenter(this.controls.target);
    const direction = new THREE.Vector3(1, -1.35, 0.62).normalize();
    this.camera.position.copy(this.controls.target).addScaledVector(direction, this.findDistance(box, direction));
    this.camera.near = 0.01 * radius;
    this.camera.far = 200 * radius;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.1 * radius;
    this.controls.maxDistance = 15 * radius;
    this.controls.update();
    this.last_centre.copy(start);
    return radius;
  }

  // How far from the middle of a box, in this direction, its corners are about in the picture: they are mostly empty.
  private findDistance(box: THREE.Box3, direction: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const half = Math.tan((0.5 * Math.PI * this.camera.fov) / 180);
    const size = box.getSize(new THREE.Vector3());
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const point = new THREE.Vector3(corner & 1, (corner >> 1) & 1, corner >> 2).subScalar(0.5).multiply(size);
      const wide = Math.abs(point.dot(right)) / (half * this.camera.aspect);
      const high = Math.abs(point.dot(up)) / half;
      distance = Math.max(distance, Math.max(wide, high) + point.dot(direction));
    }
    return 0.85 * distance;
  }

  private placeSun(): void {
    const size = 2.2 * this.view_size;
    this.sun.target.position.copy(this.controls.target);
    this.sun.position.copy(this.controls.target).add(new THREE.Vector3(0.25, -0.6, 1.1).multiplyScalar(3 * size));
    this.sun.castShadow = true;
    const shadow = this.sun.shadow;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 3;
    shadow.bias = -1e-4;
    shadow.normalBias = 0.002 * this.view_size;
    Object.assign(shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: size, far: 6 * size });
  }

  private applyTheme(): void {
    const theme = currentTheme();
    this.scene.background = new THREE.Color(theme.background);
    this.scene.fog = new THREE.Fog(theme.background, 9 * this.view_size, 34 * this.view_size);
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
    const aspect = (this.camera.aspect = box.width / box.height);
    const half = Math.tan((0.5 * Math.PI * kFieldOfView) / 180) / Math.min(aspect, 1);
    this.camera.fov = (2 * Math.atan(half) * 180) / Math.PI;
    this.camera.updateProjectionMatrix();
  }
}
