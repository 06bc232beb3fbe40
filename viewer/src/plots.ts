// Energy, residual, penetration and iterations over time, with one cursor for all.
import uPlot from "uplot";
import { findIndex, type CurveName, type Recording } from "./data";
import { lengthUnit, shortNumber } from "./numbers";
import { currentTheme, onThemeChange } from "./theme";

const kResidualFloor = 1e-17; // where a residual of exactly 0 is drawn on the logarithmic scale

interface PlotSpec {
  title: string;
  unit: string;
  curves: { name: CurveName; label: string; color: number; wide?: boolean }[];
  scale: number; // drawn value = recorded value / scale
  log?: boolean;
  limit?: number;
  whole?: boolean; // values are counts
  range: (low: number, high: number) => [number, number];
}

function makeSpecs(recording: Recording): PlotSpec[] {
  const depth = lengthUnit(recording.worst.penetration ?? 0);
  const worst = Math.max(recording.worst.law ?? 0, recording.worst.equation ?? 0, recording.worst.step ?? 0);
  const fromZero = (_: number, high: number): [number, number] => [0, high > 0 ? 1.08 * high : 1];
  return [
    {
      title: "Energy", unit: "J", scale: 1,
      curves: [
        { name: "kinetic", label: "kinetic", color: 0 },
        { name: "potential", label: "potential", color: 1 },
        { name: "total", label: "total", color: 2, wide: true },
      ],
      range: (low, high) => {
        const pad = 0.06 * (high - low) || 1;
        return [low - pad, high + pad];
      },
    },
    {
      title: "Residual", unit: "", scale: 1, log: true, limit: recording.limit,
      curves: [
        { name: "law", label: "law", color: 0 },
        { name: "equation", label: "equation", color: 1 },
        { name: "step", label: "step", color: 2 },
      ],
      range: () => [kResidualFloor, 10 ** Math.ceil(Math.log10(Math.max(10 * recording.limit, 2 * worst)))],
    },
    {
      title: "Penetration", unit: depth.name, scale: depth.metres,
      curves: [{ name: "penetration", label: "deepest", color: 0 }],
      range: fromZero,
    },
    {
      title: "Iterations", unit: "", scale: 1, whole: true,
      curves: [{ name: "iterations", label: "per step", color: 1 }],
      range: fromZero,
    },
  ];
}

function drawnValues(recording: Recording, spec: PlotSpec, name: CurveName): (number | null)[] {
  return Array.from(recording.curves[name], (value) => {
    if (!Number.isFinite(value)) return null;
    return spec.log ? Math.max(value, kResidualFloor) : value / spec.scale;
  });
}

class Plot {
  readonly chart: uPlot;
  private readonly recording: Recording;
  private readonly spec: PlotSpec;
  private readonly marker = document.createElement("div"); // the time that the picture shows
  private readonly readouts = new Map<CurveName, HTMLElement>();

  constructor(parent: HTMLElement, recording: Recording, spec: PlotSpec, last: boolean, seek: (time: number) => void) {
    this.recording = recording;
    this.spec = spec;
    const figure = document.createElement("figure");
    figure.append(this.makeCaption());
    const holder = document.createElement("div");
    holder.className = "holder";
    figure.append(holder);
    parent.append(figure);

    const data = [Array.from(recording.curves.time), ...spec.curves.map((c) => drawnValues(recording, spec, c.name))];
    this.chart = new uPlot(this.makeOptions(last), data as uPlot.AlignedData, holder);
    this.marker.className = "marker";
    this.chart.over.append(this.marker);
    const go = (event: PointerEvent) => {
      if (event.buttons & 1) seek(this.chart.posToVal(event.offsetX, "x"));
    };
    this.chart.over.addEventListener("pointerdown", go);
    this.chart.over.addEventListener("pointermove", go);
    const fit = () => this.chart.setSize({ width: holder.clientWidth, height: holder.clientHeight });
    new ResizeObserver(fit).observe(holder);
  }

  setTime(time: number): void {
    this.marker.style.transform = `translateX(${this.chart.valToPos(time, "x")}px)`;
  }

  // Values of the curves at a time. Where steps were gathered in buckets, points 2k and 2k + 1 are the smallest and
  // the largest of one bucket: the largest is shown.
  setReadout(time: number): void {
    const { curves } = this.recording;
    const index = findIndex(curves.time, time);
    const twin = this.recording.steps > curves.time.length ? index ^ 1 : index;
    for (const [name, element] of this.readouts) {
      const value = Math.max(curves[name][index]!, curves[name][twin]!);
      element.textContent = Number.isFinite(value) ? shortNumber(value / this.spec.scale) : "not finite";
    }
  }

  restyle(): void {
    const theme = currentTheme();
    this.spec.curves.forEach((curve) => {
      const readout = this.readouts.get(curve.name)!;
      readout.parentElement!.style.setProperty("--key", theme.curves[curve.color]!);
    });
    this.chart.redraw(false);
  }

  private makeCaption(): HTMLElement {
    const caption = document.createElement("figcaption");
    const title = document.createElement("b");
    title.textContent = this.spec.unit ? `${this.spec.title} [${this.spec.unit}]` : this.spec.title;
    caption.append(title);
    for (const curve of this.spec.curves) {
      const item = document.createElement("span");
      const value = document.createElement("output");
      item.append(curve.label, " ", value);
      this.readouts.set(curve.name, value);
      caption.append(item);
    }
    return caption;
  }

  private makeOptions(last: boolean): uPlot.Options {
    const axis: uPlot.Axis = {
      stroke: () => currentTheme().text,
      grid: { stroke: () => currentTheme().faint, width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const spec = this.spec;
    return {
      width: 300,
      height: 120,
      legend: { show: false },
      padding: [6, 10, last ? 0 : 6, 0],
      cursor: {
        sync: { key: "rigor" }, y: false, drag: { x: false, y: false }, points: { show: false },
      },
      scales: {
        x: { time: false },
        y: { distr: spec.log ? 3 : 1, range: (_, low, high) => spec.range(low, high) },
      },
      axes: [
        { ...axis, show: last, size: 24, gap: 3, values: (_, ticks) => ticks.map((tick) => `${shortNumber(tick)} s`) },
        {
          ...axis, size: 52, gap: 4, space: 26,
          values: (_, ticks) => ticks.map((tick) => (tick === null ? null : shortNumber(tick))),
          ...(spec.whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000] } : {}),
          ...(spec.log ? { splits: (_, __, low, high) => thousands(low, high), filter: (_, ticks) => ticks } : {}),
        },
      ],
      series: [
        {},
        ...spec.curves.map((curve): uPlot.Series => ({
          stroke: () => currentTheme().curves[curve.color]!, width: curve.wide ? 2 : 1.25, points: { show: false },
        })),
      ],
      hooks: { draw: [(chart) => this.drawLimit(chart)] },
    };
  }

  private drawLimit(chart: uPlot): void {
    if (this.spec.limit === undefined) return;
    const { ctx, bbox } = chart;
    const y = Math.round(chart.valToPos(this.spec.limit, "y", true)) + 0.5;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = currentTheme().limit;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillText(`limit ${shortNumber(this.spec.limit)}`, bbox.left + bbox.width - 4, y - 2);
    ctx.restore();
  }
}

// 1e-15, 1e-12, 1e-9 … between two bounds.
function thousands(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let power = 3 * Math.ceil(Math.log10(low) / 3); 10 ** power <= high; power += 3)
    ticks.push(Number(`1e${power}`));
  return ticks;
}

export class Plots {
  private readonly plots: Plot[];
  private time = 0;
  private hovered: number | null = null; // time under the mouse
  private readonly moment = document.createElement("output"); // time of the values in the captions

  constructor(parent: HTMLElement, recording: Recording, seek: (time: number) => void) {
    const line = document.createElement("p");
    line.append("values at ", this.moment);
    parent.append(line);
    const specs = makeSpecs(recording);
    this.plots = specs.map((spec, i) => new Plot(parent, recording, spec, i === specs.length - 1, seek));
    for (const plot of this.plots)
      plot.chart.over.addEventListener("pointermove", (event) => this.hover(plot.chart.posToVal(event.offsetX, "x")));
    for (const plot of this.plots) plot.chart.over.addEventListener("pointerleave", () => this.hover(null));
    onThemeChange(() => this.restyle());
    new ResizeObserver(() => this.setTime(this.time)).observe(parent);
    this.restyle();
  }

  setTime(time: number): void {
    this.time = time;
    for (const plot of this.plots) plot.setTime(time);
    this.updateReadouts();
  }

  // Points drawn, per plot and curve.
  drawnCurves(): { title: string; curves: (number | null)[][] }[] {
    return this.plots.map((plot) => ({
      title: plot.chart.root.parentElement!.parentElement!.querySelector("b")!.textContent!,
      curves: plot.chart.data.slice(1).map((curve) => Array.from(curve as (number | null)[])),
    }));
  }

  private hover(time: number | null): void {
    this.hovered = time;
    this.updateReadouts();
  }

  private updateReadouts(): void {
    const time = this.hovered ?? this.time;
    this.moment.textContent = `${time.toFixed(3)} s`;
    for (const plot of this.plots) plot.setReadout(time);
  }

  private restyle(): void {
    for (const plot of this.plots) plot.restyle();
  }
}
