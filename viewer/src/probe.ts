// window.rigor: what is drawn, for tests and for the curious. Read-only.
import * as THREE from "three";
import type { DrawnPart } from "./bodies";
import type { DrawnArrow } from "./contacts";
import type { Recording } from "./data";
import type { Player } from "./player";
import type { Plots } from "./plots";
import { kLayers, type Layer, type Stage } from "./stage";

export interface Probe {
  readonly frame: number;
  readonly frames: number;
  readonly row: number; // step of the recording that the frame shows
  readonly time: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly newtonsPerMetre: number;
  bodyPositions(): [number, number, number][]; // as drawn, in the world
  bodyQuaternions(): [number, number, number, number][]; // w x y z
  bodyPlaces(): { x: number; y: number }[]; // of their frames in the window, px
  bodyAt(x: number, y: number): number; // -1: none
  cameraTarget(): [number, number, number];
  cameraPosition(): [number, number, number];
  layers(): Layer[]; // that are shown
  parts(): DrawnPart[]; // all shapes of the bodies in shown layers
  drawCalls(): number; // of the last picture
  arrows(): DrawnArrow[];
  dots(): number;
  plots(): { title: string; labels: string[]; curves: (number | null)[][] }[];
}

export function makeProbe(recording: Recording, player: Player, plots: Plots, stage: Stage | null): Probe {
  const matrices = stage ? stage.bodies.poses.matrices : [];
  return Object.freeze({
    get frame() { return player.frame; },
    get frames() { return recording.frames.count; },
    get row() { return recording.frames.row[player.frame]!; },
    get time() { return player.time; },
    get playing() { return player.playing; },
    get speed() { return player.speed; },
    get newtonsPerMetre() { return stage ? stage.contacts.newtons_per_metre : 0; },
    bodyPositions: () => matrices.map((matrix) => new THREE.Vector3().setFromMatrixPosition(matrix).toArray()),
    bodyQuaternions: () => matrices.map((matrix): [number, number, number, number] => {
      const { w, x, y, z } = new THREE.Quaternion().setFromRotationMatrix(matrix);
      return [w, x, y, z];
    }),
    bodyPlaces: () => (stage ? matrices.map((_, body) => stage.placeInWindow(body)) : []),
    bodyAt: (x: number, y: number) => (stage ? stage.pickAt(x, y) : -1),
    cameraTarget: (): [number, number, number] => (stage ? stage.view.target.toArray() : [0, 0, 0]),
    cameraPosition: (): [number, number, number] => (stage ? stage.view.camera.position.toArray() : [0, 0, 0]),
    layers: () => kLayers.filter((layer) => stage?.isShown(layer)),
    parts: () => (stage ? stage.bodies.drawn() : []),
    drawCalls: () => (stage ? stage.drawCalls : 0),
    arrows: () => (stage ? stage.contacts.drawnArrows() : []),
    dots: () => (stage ? stage.contacts.drawnDots() : 0),
    plots: () => plots.drawnCurves(),
  });
}
