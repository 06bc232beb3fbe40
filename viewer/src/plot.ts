// One plot over time.
import uPlot from "uplot";
import { findIndex } from "./data";
import { shortNumber } from "./numbers";
import { kResidualFloor, type PlotSpec } from "./signals";
import { stackAreas } from "./stack";
import { currentTheme } from "./theme";

export class Plot {
  readonly chart: uPlot;
  private readonly figure = document.createElement("figure");
  private readonly marker = document.createElement("div"); // the time that the picture shows
  private readonly readouts: HTMLElement[] = []; // one per curve
  private readonly observer: ResizeObserver;
  private readonly edges: number[][]; // of the areas of a stack, from their lowest to their highest
  private time = 0;

  constructor(parent: HTMLElement, readonly spec: PlotSpec, last: boolean, seek: (time: number) => void) {
    this.edges = spec.stacked ? stackAreas(spec.curves.slice(0, -1).map((curve) => Array.from(curve.values))) : [];
    const holder = document.createElement("div");
    holder.className = "holder";
    this.figure.append(this.makeCaption(), holder);
    parent.append(this.figure);

    const data = [Array.from(spec.time), ...this.drawnCurves(), ...this.edges];
    this.chart = new uPlot(this.makeOptions(last), data as uPlot.AlignedData, holder);
    this.marker.className = "marker";
    this.chart.over.append(this.marker);
    const go = (event: PointerEvent) => {
      if (event.buttons & 1) seek(this.chart.posToVal(event.offsetX, "x"));
    };
    this.chart.over.addEventListener("pointerdown", go);
    this.chart.over.addEventListener("pointermove", go);
    this.observer = new ResizeObserver(() => {
      this.chart.setSize({ width: holder.clientWidth, height: holder.clientHeight });
      this.setTime(this.time);
    });
    this.observer.observe(holder);
  }

  get title(): string {
    return this.spec.unit ? `${this.spec.title} [${this.spec.unit}]` : this.spec.title;
  }

  // What the curves show; of a stack the thickness of its areas, and the line over them.
  drawnCurves(): (number | null)[][] {
    return this.spec.curves.map((curve) => drawnValues(this.spec, curve.values));
  }

  remove(): void {
    this.observer.disconnect();
    this.chart.destroy();
    this.figure.remove();
  }

  setTime(time: number): void {
    this.time = time;
    this.marker.style.transform = `translateX(${this.chart.valToPos(time, "x")}px)`;
  }

  // Values of the curves at a time; of a bucket the largest.
  setReadout(time: number): void {
    const { curves, scale, bucketed } = this.spec;
    const index = findIndex(this.spec.time, time);
    const twin = bucketed ? index ^ 1 : index;
    curves.forEach(({ values }, i) => {
      const value = Math.max(values[index]!, values[twin]!);
      this.readouts[i]!.textContent = Number.isFinite(value) ? shortNumber(value / scale) : "not finite";
    });
  }

  restyle(): void {
    this.spec.curves.forEach((curve, i) =>
      this.readouts[i]!.parentElement!.style.setProperty("--key", themeColor(curve.color)));
    this.chart.redraw(false);
  }

  private makeCaption(): HTMLElement {
    const caption = document.createElement("figcaption");
    const title = document.createElement("b");
    title.textContent = this.title;
    caption.append(title);
    for (const curve of this.spec.curves) {
      const item = document.createElement("span");
      const value = document.createElement("output");
      item.append(curve.label, " ", value);
      this.readouts.push(value);
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
        y: { distr: spec.log ? 3 : 1, range: (_, low, high) => spec.range(low ?? 0, high ?? 1) },
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
        ...spec.curves.map((curve, i): uPlot.Series => ({
          stroke: () => themeColor(curve.color), width: curve.wide ? 2 : 1.25, points: { show: false },
          show: !spec.stacked || i + 1 === spec.curves.length,
        })),
        ...this.edges.map((): uPlot.Series => ({ width: 0, points: { show: false } })),
      ],
      bands: this.makeBands(),
      hooks: { draw: [(chart) => this.drawLimit(chart)] },
    };
  }

  // One area above zero and one below for each curve of a stack: between neighbouring edges.
  private makeBands(): uPlot.Band[] {
    const count = this.spec.curves.length - 1;
    const first = this.spec.curves.length + 1; // series of the lowest edge
    const colorOf = (edge: number) => this.spec.curves[edge < count ? count - 1 - edge : edge - count]!.color;
    return this.edges.slice(1).map((_, edge) => ({
      series: [first + edge + 1, first + edge], fill: () => `${themeColor(colorOf(edge))}b0`,
    }));
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

function themeColor(index: number): string {
  const { curves } = currentTheme();
  return curves[index % curves.length]!;
}

function drawnValues(spec: PlotSpec, values: ArrayLike<number>): (number | null)[] {
  return Array.from(values, (value) => {
    if (!Number.isFinite(value)) return null;
    return spec.log ? Math.max(value, kResidualFloor) : value / spec.scale;
  });
}

// 1e-15, 1e-12, 1e-9 … between two bounds.
function thousands(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let power = 3 * Math.ceil(Math.log10(low) / 3); 10 ** power <= high; power += 3)
    ticks.push(Number(`1e${power}`));
  return ticks;
}
