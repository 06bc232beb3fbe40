// Reads what src/io/page/data.cpp wrote into the page.

export interface Body {
  name: string;
  parent: number; // -1: the world
  mass: number; // kg
}

export type ShapeKind =
  "sphere" | "capsule" | "box" | "plane" | "cylinder" | "cone" | "ellipsoid" | "hull" | "triangles" | "height field";

export interface Shape {
  name: string;
  body: number; // -1: the world
  kind: ShapeKind;
  size: [number, number, number]; // as in rigor/shape.h: radius and half length (axis z), half extents, semi-axes
  pose: number[]; // in its body: x y z, qw qx qy qz
  mesh?: number; // index into meshes, of a hull, triangles or a height field
}

// What a body looks like, if it looks unlike what it collides with.
export interface Visual extends Shape {
  rgba: [number, number, number, number]; // red, green, blue, opacity; negative: no colour is given
}

export interface Mesh {
  position: Float32Array; // [vertices × 3] m
  index: Uint16Array | Uint32Array; // [triangles × 3] counter-clockwise seen from outside
  columns?: number; // of a height field: vertices per row
}

export const kModes = ["open", "stick", "slip"] as const;
export type Mode = (typeof kModes)[number];

export interface Frames {
  count: number;
  row: Int32Array<ArrayBuffer>; // [count] step of the recording
  time: Float64Array<ArrayBuffer>; // [count] s
  pose: Float32Array<ArrayBuffer>; // [count × bodies × 7] x y z, qw qx qy qz in the world
  speed: Float32Array<ArrayBuffer>; // [count × bodies × 2] of the centre of mass, m/s; spin, rad/s
  contact_start: Int32Array<ArrayBuffer>; // [count + 1] into the arrays below
  contact_point: Float32Array<ArrayBuffer>; // [· × 3] world
  contact_force: Float32Array<ArrayBuffer>; // [· × 3] world, N, on the body that can move
  contact_normal: Float32Array<ArrayBuffer>; // normal force, N
  contact_body: Int32Array<ArrayBuffer>; // [· × 2]; -1: the world
  contact_mode: Uint8Array<ArrayBuffer>; // index into kModes
}

// A freedom of a joint. Where steps were gathered in buckets, see curves.h of the writer.
export interface JointSignal {
  name: string;
  angle: boolean; // rad, rad/s and N m; else m, m/s and N
  position?: Float32Array;
  velocity: Float32Array;
  torque: Float32Array;
}

export interface Signals {
  time: Float64Array;
  joints: JointSignal[];
  contacts: { body: number; force: Float32Array }[]; // N, sum of normal forces
}

// Where the energy went: what each account has done since the first node, J; the last is the integrator's.
export interface Ledger {
  time: Float64Array;
  energy: Float64Array; // J
  accounts: { name: string; work: Float64Array }[];
}

export const kCurves = [
  "kinetic", "potential", "total", "law", "equation", "step", "penetration", "iterations",
] as const;
export type CurveName = (typeof kCurves)[number];

// What the program said of the run when it ended.
export interface Verdict {
  status: "done" | "incomplete" | "refused" | "interrupted";
  failed_steps: number;
  by_floor: number; // steps whose residual was excused by the rounding of large impulses alone
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
  visuals: Visual[];
  meshes: Mesh[];
  signals: Signals;
  ledger: Ledger | null; // null: not known
  frames: Frames;
  curves: { time: Float64Array } & Record<CurveName, Float64Array>;
}

function decode(text: string): ArrayBuffer {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes.buffer;
}

function readMesh(raw: Record<string, any>): Mesh {
  if (raw.heights) return readHeightField(raw);
  const index = decode(raw.index);
  return {
    position: new Float32Array(decode(raw.position)),
    index: raw.wide ? new Uint32Array(index) : new Uint16Array(index),
  };
}

// Cells are cut by the diagonal from (row, column) to (row + 1, column + 1), as rigor/mesh.h says.
function readHeightField(raw: Record<string, any>): Mesh {
  const { rows, columns, half } = raw as { rows: number; columns: number; half: [number, number] };
  const heights = new Float32Array(decode(raw.heights));
  const position = new Float32Array(3 * rows * columns);
  const index = new Uint32Array(6 * (rows - 1) * (columns - 1));
  let corner = 0;
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const at = row * columns + column;
      const x = half[0] * ((2 * column) / (columns - 1) - 1);
      position.set([x, half[1] * ((2 * row) / (rows - 1) - 1), heights[at]!], 3 * at);
      if (row + 1 === rows || column + 1 === columns) continue;
      const across = at + columns + 1;
      index.set([at, at + 1, across, at, across, at + columns], corner);
      corner += 6;
    }
  return { position, index, columns };
}

function readSignals(raw: Record<string, any>): Signals {
  const singles = (text: string) => new Float32Array(decode(text));
  return {
    time: new Float64Array(decode(raw.time)),
    joints: raw.joints.map((joint: any) => ({
      name: joint.name,
      angle: joint.angle,
      position: joint.position && singles(joint.position),
      velocity: singles(joint.velocity),
      torque: singles(joint.torque),
    })),
    contacts: raw.contacts.map((contact: any) => ({ body: contact.body, force: singles(contact.force) })),
  };
}

function readLedger(raw: Record<string, any>): Ledger {
  const doubles = (text: string) => new Float64Array(decode(text));
  return {
    time: doubles(raw.time),
    energy: doubles(raw.energy),
    accounts: raw.accounts.map(({ name, work }: any) => ({ name, work: doubles(work) })),
  };
}

// One piece of frames as it was written; contact_start begins at 0 in every piece.
function readFrames(raw: Record<string, string>): Frames {
  const time = new Float64Array(decode(raw.time!));
  return {
    count: time.length,
    time,
    row: new Int32Array(decode(raw.row!)),
    pose: new Float32Array(decode(raw.pose!)),
    speed: new Float32Array(decode(raw.speed ?? "")),
    contact_start: new Int32Array(decode(raw.contact_start!)),
    contact_point: new Float32Array(decode(raw.contact_point!)),
    contact_force: new Float32Array(decode(raw.contact_force!)),
    contact_normal: new Float32Array(decode(raw.contact_normal ?? "")),
    contact_body: new Int32Array(decode(raw.contact_body ?? "")),
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
    speed: join(Float32Array, pieces.map((piece) => piece.speed)),
    contact_start: join(Int32Array, starts),
    contact_point: join(Float32Array, pieces.map((piece) => piece.contact_point)),
    contact_force: join(Float32Array, pieces.map((piece) => piece.contact_force)),
    contact_normal: join(Float32Array, pieces.map((piece) => piece.contact_normal)),
    contact_body: join(Int32Array, pieces.map((piece) => piece.contact_body)),
    contact_mode: join(Uint8Array, pieces.map((piece) => piece.contact_mode)),
  };
}

// Version 1 held everything in one object and all frames in one piece; until version 2 there were no meshes, looks, speeds
// and signals.
export function readRecording(text: string): Recording {
  const raw = JSON.parse(text);
  if (![1, 2, 3].includes(raw.version)) throw new Error(`This page cannot read data of version ${raw.version}.`);
  const { header, end } = raw.version === 1 ? { header: raw, end: raw } : raw;
  const pieces: Record<string, string>[] = raw.version === 1 ? [raw.frames] : raw.frames;
  const curves = { time: new Float64Array(decode(end.plots.time)) } as Recording["curves"];
  for (const name of kCurves) curves[name] = new Float64Array(decode(end.plots[name]));
  return {
    ...header,
    ...end,
    curves,
    meshes: (header.meshes ?? []).map(readMesh),
    visuals: header.visuals ?? [],
    signals: readSignals(end.signals ?? { time: "", joints: [], contacts: [] }),
    ledger: end.ledger ? readLedger(end.ledger) : null,
    frames: joinFrames(pieces.map(readFrames)),
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
