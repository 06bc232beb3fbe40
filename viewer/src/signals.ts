// What can be plotted: numbers of the run, of joints and of bodies.
import type { CurveName, Recording } from "./data";
import { lengthUnit } from "./numbers";

export const kResidualFloor = 1e-17; // where a residual of exactly 0 is drawn on the logarithmic scale
const kLineColor = 2; // of the curve over the areas of a stack
const kChosenAtFirst = ["energy", "ledger", "residual", "penetration", "iterations"];

export interface Curve {
  label: string;
  values: ArrayLike<number>;
  color: number; // index into the theme's curves
  wide?: boolean;
}

export interface PlotSpec {
  title: string;
  unit: string;
  time: ArrayLike<number>;
  curves: Curve[];
  scale: number; // drawn value = recorded value / scale
  log?: boolean;
  limit?: number;
  whole?: boolean; // values are counts
  stacked?: boolean; // areas on top of each other, what is lost below zero; the last curve is a line over them, their sum
  bucketed: boolean; // points 2k and 2k + 1 are the smallest and the largest of one bucket of steps
  range: (low: number, high: number) => [number, number];
}

export interface Choice {
  id: string; // as in the address of the page
  label: string;
}

// Choices of one group share a plot if they have the same unit.
interface Entry extends Choice {
  unit: string;
  values: () => ArrayLike<number>;
}

interface Group {
  title: string;
  time: ArrayLike<number>;
  bucketed: boolean;
  entries: Entry[];
}

function padded(low: number, high: number): [number, number] {
  const pad = 0.06 * (high - low) || 0.05 * Math.abs(high) || 1;
  return [low - pad, high + pad];
}

export class Signals {
  private readonly run: { id: string; spec: PlotSpec }[];
  private readonly groups: Group[];

  constructor(recording: Recording) {
    this.run = listRun(recording);
    this.groups = [...listJoints(recording), listForces(recording), ...listBodies(recording)]
      .filter((group) => group.entries.length > 0);
  }

  list(): { title: string; choices: Choice[] }[] {
    const run = { title: "Run", choices: this.run.map(({ id, spec }) => ({ id, label: spec.title })) };
    return [run, ...this.groups.map(({ title, entries }) => ({ title, choices: entries }))];
  }

  // What a page shows until its reader chooses.
  get first(): string[] {
    return kChosenAtFirst.filter((id) => this.has(id));
  }

  has(id: string): boolean {
    return this.list().some(({ choices }) => choices.some((choice) => choice.id === id));
  }

  // One plot for each of the run's, then one for each group and unit.
  makePlots(chosen: ReadonlySet<string>): PlotSpec[] {
    const specs = this.run.filter(({ id }) => chosen.has(id)).map(({ spec }) => spec);
    for (const { title, time, bucketed, entries } of this.groups) {
      const shown = entries.filter(({ id }) => chosen.has(id));
      for (const unit of new Set(shown.map((entry) => entry.unit))) {
        const curves = shown.filter((entry) => entry.unit === unit)
          .map(({ label, values }, color): Curve => ({ label, values: values(), color }));
        specs.push({ title, unit, time, curves, scale: 1, bucketed, range: padded });
      }
    }
    return specs;
  }
}

function listRun(recording: Recording): { id: string; spec: PlotSpec }[] {
  const { curves, worst, limit } = recording;
  const depth = lengthUnit(worst.penetration ?? 0);
  const largest = Math.max(worst.law ?? 0, worst.equation ?? 0, worst.step ?? 0);
  const fromZero = (_: number, high: number): [number, number] => [0, high > 0 ? 1.08 * high : 1];
  const common = { time: curves.time, bucketed: recording.steps > curves.time.length };
  const curve = (name: CurveName, label: string, color: number, wide = false): Curve =>
    ({ label, values: curves[name], color, wide });
  return [
    {
      id: "energy",
      spec: {
        ...common, title: "Energy", unit: "J", scale: 1,
        curves: [curve("kinetic", "kinetic", 0), curve("potential", "potential", 1), curve("total", "total", 2, true)],
        range: padded,
      },
    },
    ...listLedger(recording),
    {
      id: "residual",
      spec: {
        ...common, title: "Residual", unit: "", scale: 1, log: true, limit,
        curves: [curve("law", "law", 0), curve("equation", "equation", 1), curve("step", "step", 2)],
        range: () => [kResidualFloor, 10 ** Math.ceil(Math.log10(Math.max(10 * limit, 2 * largest)))],
      },
    },
    {
      id: "penetration",
      spec: {
        ...common, title: "Penetration", unit: depth.name, scale: depth.metres,
        curves: [curve("penetration", "deepest", 0)], range: fromZero,
      },
    },
    {
      id: "iterations",
      spec: {
        ...common, title: "Iterations", unit: "", scale: 1, whole: true,
        curves: [curve("iterations", "per step", 1)], range: fromZero,
      },
    },
  ];
}

function listLedger({ ledger }: Recording): { id: string; spec: PlotSpec }[] {
  if (!ledger) return [];
  const change = ledger.energy.map((energy) => energy - ledger.energy[0]!);
  const curves = ledger.accounts.map(({ name, work }, i): Curve =>
    ({ label: name.replaceAll("_", " "), values: work, color: i < kLineColor ? i : i + 1 }));
  curves.push({ label: "change", values: change, color: kLineColor, wide: true });
  return [{
    id: "ledger",
    spec: {
      title: "Energy ledger", unit: "J", time: ledger.time, curves, scale: 1, stacked: true, bucketed: false,
      range: padded,
    },
  }];
}

function listJoints({ signals, steps }: Recording): Group[] {
  const common = { time: signals.time, bucketed: steps > signals.time.length };
  const kinds = [
    { key: "position", title: "Joint position", units: ["rad", "m"] },
    { key: "velocity", title: "Joint velocity", units: ["rad/s", "m/s"] },
    { key: "torque", title: "Joint torque", units: ["N m", "N"] },
  ] as const;
  return kinds.map(({ key, title, units }) => ({
    ...common, title,
    entries: signals.joints.filter((joint) => joint[key]).map((joint): Entry => ({
      id: `${key}:${joint.name}`, label: joint.name, unit: units[joint.angle ? 0 : 1], values: () => joint[key]!,
    })),
  }));
}

function listForces({ signals, steps, bodies }: Recording): Group {
  return {
    title: "Contact normal force", time: signals.time, bucketed: steps > signals.time.length,
    entries: signals.contacts.map(({ body, force }): Entry => {
      const { name } = bodies[body]!;
      return { id: `force:${name}`, label: name, unit: "N", values: () => force };
    }),
  };
}

// From the frames: where a body's frame is, and how fast its centre of mass moves.
function listBodies({ bodies, frames }: Recording): Group[] {
  const pick = (numbers: Float32Array, width: number, body: number, at: number) =>
    Float32Array.from({ length: frames.count }, (_, frame) => numbers[(frame * bodies.length + body) * width + at]!);
  const group = (key: string, title: string, unit: string, values: (body: number) => Float32Array): Group => ({
    title, time: frames.time, bucketed: false,
    entries: bodies.map(({ name }, body) => ({ id: `${key}:${name}`, label: name, unit, values: () => values(body) })),
  });
  const height = group("height", "Body height", "m", (body) => pick(frames.pose, 7, body, 2));
  if (frames.speed.length === 0) return [height];
  return [
    height,
    group("speed", "Body speed", "m/s", (body) => pick(frames.speed, 2, body, 0)),
    group("spin", "Body spin", "rad/s", (body) => pick(frames.speed, 2, body, 1)),
  ];
}
