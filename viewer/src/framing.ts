// What the camera should have in view: the bodies that move, all the time, but not the one that flies away.
import * as THREE from "three";
import type { Ball } from "./bodies";
import type { Recording } from "./data";
import { readPose } from "./poses";

const kMostFrames = 240; // enough to see where something goes
const kStill = 1e-3; // of the own size: less than this is no motion
const kFarAway = 6; // times as far as three quarters of the bodies ever come
const kTravels = 2.5; // times the size at the start

export interface Framing {
  bodies: number[]; // that move and stay about; all if none moves
  travels: boolean; // whoever gets further than a few times the own size leaves the view of a camera that stands still
  boxes: THREE.Box3[]; // around each of them in all frames; in the first one if they travel
}

interface Track {
  body: number;
  start: THREE.Box3;
  whole: THREE.Box3;
}

export function findFraming(recording: Recording, balls: Ball[]): Framing {
  const all = followBodies(recording, balls);
  const moving = all.filter(({ start, whole }) => {
    const size = Math.max(start.getSize(new THREE.Vector3()).length(), 1e-6);
    return whole.min.distanceTo(start.min) + whole.max.distanceTo(start.max) > kStill * size;
  });
  const kept = withoutStrays(moving.length > 0 ? moving : all);
  const unite = (key: "start" | "whole") => kept.reduce((box, track) => box.union(track[key]), new THREE.Box3());
  const [start, whole] = [unite("start"), unite("whole")];
  const size = (box: THREE.Box3) => box.getSize(new THREE.Vector3()).length();
  const travels = size(whole) > kTravels * size(start);
  return { bodies: kept.map((track) => track.body), travels, boxes: kept.map((track) => (travels ? track.start : track.whole)) };
}

function followBodies(recording: Recording, balls: Ball[]): Track[] {
  const { frames, bodies } = recording;
  const tracks = bodies.map((_, body): Track => ({ body, start: new THREE.Box3(), whole: new THREE.Box3() }));
  const position = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  const point = new THREE.Vector3();
  const step = Math.max(1, Math.ceil(frames.count / kMostFrames));
  const add = (frame: number) => {
    for (const { body, point: local, radius } of balls) {
      readPose(frames.pose, 7 * (frame * bodies.length + body), position, turn);
      if (!Number.isFinite(position.x + position.y + position.z)) continue;
      point.copy(local).applyQuaternion(turn).add(position);
      const { start, whole } = tracks[body]!;
      for (const box of frame === 0 ? [start, whole] : [whole])
        box.expandByPoint(point.addScalar(radius)).expandByPoint(point.addScalar(-2 * radius)), point.addScalar(radius);
    }
  };
  for (let frame = 0; frame < frames.count; frame += step) add(frame);
  if (frames.count > 1) add(frames.count - 1);
  return tracks;
}

function withoutStrays(tracks: Track[]): Track[] {
  if (tracks.length < 2) return tracks;
  const middle = new THREE.Vector3();
  for (const axis of ["x", "y", "z"] as const) {
    const places = tracks.map(({ start }) => 0.5 * (start.min[axis] + start.max[axis])).sort((a, b) => a - b);
    middle[axis] = places[(places.length - 1) >> 1]!;
  }
  const farthest = ({ whole }: Track) =>
    Math.max(whole.min.distanceTo(middle), whole.max.distanceTo(middle));
  const reach = tracks.map(farthest).sort((a, b) => a - b);
  const limit = kFarAway * reach[Math.floor(0.75 * (reach.length - 1))]!;
  return tracks.filter((track) => farthest(track) <= limit);
}
