// window.rigor: what is drawn, for tests and for the curious. Read-only.
import * as THREE from "three";
import type { DrawnArrow } from "./contacts";
import type { Recording } from "./data";
import type { Player } from "./player";
import type { Plots } from "./plots";
import type { Stage } from "./stage";

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
  cameraTarget(): [number, number, number];
  arrows(): DrawnArrow[];
  dots(): number;
  plots(): { title: string; curves: (number | null)[][] }[];
}

export function makeProbe(recording: Recording, player: Player, plots: Plots, stage: Stage | null): Probe {
  const groups = stage ? stage.bodies.groups : [];
  return Object.freeze({
    get frame() { return player.frame; },
    get frames() { return recording.frames.count; },
    get row() { return recording.frames.row[player.frame]!; },
    get time() { return player.time; },
    get playing() { return player.playing; },
    get speed() { return player.speed; },
    get newtonsPerMetre() { return stage ? stage.contacts.newtons_per_metre : 0; },
    bodyPositions: () => groups.map((group) => group.getWorldPosition(new THREE.Vector3()).toArray()),
    bodyQuaternions: () => groups.map((group): [number, number, number, number] => {
      const { w, x, y, z } = group.getWorldQuaternion(new THREE.Quaternion());
      return [w, x, y, z];
    }),
    cameraTarget: (): [number, number, number] => (stage ? stage.targetPosition() : [0, 0, 0]),
    arrows: () => (stage ? stage.contacts.drawnArrows() : []),
    dots: () => (stage ? stage.contacts.drawnDots() : 0),
    plots: () => plots.drawnCurves(),
  });
}
