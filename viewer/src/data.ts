// Reads what src/io/page/data.cpp wrote into the page.

export interface Body {
  name: string;
  parent: number; // -1: the world
  mass: number; // kg
}

export interface Shape {
  name: string;
  body: number; // -1: the world
  kind: "sphere" | "capsule" | "box" | "plane";
  size: [number, number, number]; // sphere: radius; capsule: radius, half length (axis z); box: half extents
  pose: number[]; // in its body: x y z, qw qx qy qz
}

export const kModes = ["open", "stick", "slip"] as const;
export type Mode = (typeof kModes)[number];

export interface Frames {
  count: number;
  row: Int32Array<ArrayBuffer>; // [count] step of the recording
  time: Float64Array<ArrayBuffer>; // [count] s
  pose: Float32Array<ArrayBuffer>; // [count × bodies × 7] x y z, qw qx qy qz in the world
  contact_start: Int32Array<ArrayBuffer>; // [count + 1] into the arrays below
  contact_point: Float32Array<ArrayBuffer>; // [· × 3] world
  contact_force: Float32Array<ArrayBuffer>; // [· × 3] world, N, on the body that can move
  contact_mode: Uint8Array<ArrayBuffer>; // index into kModes
}

export const kCurves = [
  "kinetic", "potential", "total", "law", "equation", "step", "penetration", "iterations",
] as const;
export type CurveName = (typeof kCurves)[number];

// What the program said of the run when it ended.
export interface Verdict {
  status: "done" | "incomplete" | "refused" | "interrupted";
  failed_steps: number;
  by_floor: number; // steps whose residual was excused by the rounding floor alone
  missing: string; // what passed through each other for want of contact code; "" if nothing
}

export interface Recording {
  name: string;
  dt: number;
  steps: number;
  seconds: number;
  mass: number;
  gravity: [number, number, number];
  limit: number;
  verdict: Verdict | null; // null: not known
  worst: Record<CurveName, number | null>; // null: some step was not finite
  bodies: Body[];
  shapes: Shape[];
  frames: Frames;
  curves: { time: Float64Array } & Record<CurveName, Float64Array>;
}

function decode(text: string): ArrayBuffer {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes.buffer;
}

// One piece of frames as it was written; contact_start begins at 0 in every piece.
function readFrames(raw: Record<string, string>): Frames {
  const time = new Float64Array(decode(raw.time!));
  return {
    count: time.length,
    time,
    row: new Int32Array(decode(raw.row!)),
    pose: new Float32Array(decode(raw.pose!)),
    contact_start: new Int32Array(decode(raw.contact_start!)),
    contact_point: new Float32Array(decode(raw.contact_point!)),
    contact_force: new Float32Array(decode(raw.contact_force!)),
    contact_mode: new Uint8Array(decode(raw.contact_mode!)),
  };
}

type NumberArray = Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

function join<A extends NumberArray>(make: new (length: number) => A, parts: A[]): A {
  const whole = new make(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function joinFrames(pieces: Frames[]): Frames {
  const starts: Int32Array<ArrayBuffer>[] = [new Int32Array([0])];
  let contacts = 0;
  for (const piece of pieces) {
    starts.push(piece.contact_start.slice(1).map((start) => start + contacts));
    contacts += piece.contact_mode.length;
  }
  return {
    count: pieces.reduce((count, piece) => count + piece.count, 0),
    time: join(Float64Array, pieces.map((piece) => piece.time)),
    row: join(Int32Array, pieces.map((piece) => piece.row)),
    pose: join(Float32Array, pieces.map((piece) => piece.pose)),
    contact_start: join(Int32Array, starts),
    contact_point: join(Float32Array, pieces.map((piece) => piece.contact_point)),
    contact_force: join(Float32Array, pieces.map((piece) => piece.contact_force)),
    contact_mode: join(Uint8Array, pieces.map((piece) => piece.contact_mode)),
  };
}

// Version 1 held everything in one object and all frames in one piece.
export function readRecording(text: string): Recording {
  const raw = JSON.parse(text);
  if (raw.version !== 1 && raw.version !== 2) throw new Error(`This page cannot read data of version ${raw.version}.`);
  const { header, end } = raw.version === 1 ? { header: raw, end: raw } : raw;
  const pieces: Record<string, string>[] = raw.version === 1 ? [raw.frames] : raw.frames;
  const curves = { time: new Float64Array(decode(end.plots.time)) } as Recording["curves"];
  for (const name of kCurves) curves[name] = new Float64Array(decode(end.plots[name]));
  return { ...header, ...end, curves, frames: joinFrames(pieces.map(readFrames)) };
}

// The last index with times[index] <= time; 0 if there is none. `times` rises.
export function findIndex(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return low;
}
