// Reads what src/io/page_data.cpp wrote into the page.

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
  row: Int32Array; // [count] step of the recording
  time: Float64Array; // [count] s
  pose: Float32Array; // [count × bodies × 7] x y z, qw qx qy qz in the world
  contact_start: Int32Array; // [count + 1] into the arrays below
  contact_point: Float32Array; // [· × 3] world
  contact_force: Float32Array; // [· × 3] world, N, on the body that can move
  contact_mode: Uint8Array; // index into kModes
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

export function readRecording(text: string): Recording {
  const raw = JSON.parse(text);
  if (raw.version !== 1) throw new Error(`This page cannot read data of version ${raw.version}.`);
  const time = new Float64Array(decode(raw.frames.time));
  const curves = { time: new Float64Array(decode(raw.plots.time)) } as Recording["curves"];
  for (const name of kCurves) curves[name] = new Float64Array(decode(raw.plots[name]));
  return {
    ...raw,
    curves,
    frames: {
      count: time.length,
      time,
      row: new Int32Array(decode(raw.frames.row)),
      pose: new Float32Array(decode(raw.frames.pose)),
      contact_start: new Int32Array(decode(raw.frames.contact_start)),
      contact_point: new Float32Array(decode(raw.frames.contact_point)),
      contact_force: new Float32Array(decode(raw.frames.contact_force)),
      contact_mode: new Uint8Array(decode(raw.frames.contact_mode)),
    },
  };
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
