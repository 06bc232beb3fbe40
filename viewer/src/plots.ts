// The column of plots, with one cursor for all.
import type { Recording } from "./data";
import { Plot } from "./plot";
import { Signals } from "./signals";
import { onThemeChange } from "./theme";

export class Plots {
  readonly signals: Signals;
  private readonly column = document.getElementById("column")!;
  private readonly moment = document.getElementById("moment")!; // time of the values in the captions
  private plots: Plot[] = [];
  private shown: string[] = []; // ids
  private time = 0;
  private hovered: number | null = null; // time under the mouse

  constructor(recording: Recording, private readonly seek: (time: number) => void) {
    this.signals = new Signals(recording);
    this.choose(this.signals.first);
    onThemeChange(() => this.restyle());
  }

  get chosen(): readonly string[] {
    return this.shown;
  }

  choose(ids: readonly string[]): void {
    for (const plot of this.plots) plot.remove();
    this.shown = [...ids];
    const specs = this.signals.makePlots(new Set(ids));
    this.plots = specs.map((spec, i) => new Plot(this.column, spec, i === specs.length - 1, this.seek));
    for (const { chart } of this.plots) {
      chart.over.addEventListener("pointermove", (event) => this.hover(chart.posToVal(event.offsetX, "x")));
      chart.over.addEventListener("pointerleave", () => this.hover(null));
    }
    this.restyle();
    this.setTime(this.time);
  }

  setTime(time: number): void {
    this.time = time;
    for (const plot of this.plots) plot.setTime(time);
    this.updateReadouts();
  }

  // Points drawn, per plot and curve.
  drawnCurves(): { title: string; labels: string[]; curves: (number | null)[][] }[] {
    return this.plots.map((plot) => ({
      title: plot.title,
      labels: plot.spec.curves.map((curve) => curve.label),
      curves: plot.drawnCurves(),
    }));
  }

  // All that is shown, as recorded: a row per time that any curve has, empty where a curve has no point there.
  makeCsv(): string {
    const rows = new Map<number, string[]>();
    const names = ["time [s]"];
    for (const { spec } of this.plots)
      for (const curve of spec.curves) {
        const column = names.length;
        names.push(`${spec.title}: ${curve.label}${spec.unit ? ` [${spec.unit}]` : ""}`);
        for (let i = 0; i < spec.time.length; ++i) {
          const time = spec.time[i]!;
          if (!rows.has(time)) rows.set(time, [String(time)]);
          rows.get(time)![column] = String(curve.values[i]! / spec.scale);
        }
      }
    const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
    const sorted = [...rows].sort(([a], [b]) => a - b);
    const lines = sorted.map(([, row]) => Array.from(names, (_, i) => row[i] ?? "").join(","));
    return [names.map(quote).join(","), ...lines, ""].join("\n");
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
