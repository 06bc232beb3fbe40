// The list of signals to plot, with a filter: a robot may have hundreds.
import type { Plots } from "./plots";

const kShownPerGroup = 40; // the rest is a matter for the filter

export class Chooser {
  private readonly menu = document.getElementById("chooser") as HTMLDetailsElement;
  private readonly filter = document.getElementById("signal_filter") as HTMLInputElement;
  private readonly list = document.getElementById("signal_list")!;

  constructor(private readonly plots: Plots, private readonly onChange: () => void) {
    this.menu.addEventListener("toggle", () => {
      if (this.menu.open) this.refill();
      if (this.menu.open && !matchMedia("(pointer: coarse)").matches) this.filter.focus();
    });
    this.filter.addEventListener("input", () => this.refill());
    document.getElementById("signals_reset")!.addEventListener("click", () => this.choose(plots.signals.first));
    document.addEventListener("pointerdown", (event) => {
      if (this.menu.open && !this.menu.contains(event.target as Node)) this.menu.open = false;
    });
  }

  choose(ids: readonly string[]): void {
    this.plots.choose(ids);
    if (this.menu.open) this.refill();
    this.onChange();
  }

  private refill(): void {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter((word) => word);
    const groups = this.plots.signals.list().map(({ title, choices }) => {
      const fits = ({ label }: { label: string }) => {
        const text = `${title} ${label}`.toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return this.makeGroup(title, choices.filter(fits));
    });
    this.list.replaceChildren(...groups.filter((group) => group !== null));
    if (this.list.childElementCount === 0) this.list.textContent = "Nothing fits.";
  }

  private makeGroup(title: string, choices: { id: string; label: string }[]): HTMLElement | null {
    if (choices.length === 0) return null;
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = title;
    group.append(legend);
    const chosen = new Set(this.plots.chosen);
    // What is chosen is always there, so that it can be taken out.
    const shown = choices.filter(({ id }, i) => i < kShownPerGroup || chosen.has(id));
    for (const { id, label } of shown) {
      const item = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = chosen.has(id);
      box.setAttribute("aria-label", `${title}: ${label}`);
      box.addEventListener("change", () => this.toggle(id, box.checked));
      item.append(box, label);
      group.append(item);
    }
    if (shown.length < choices.length) {
      const more = document.createElement("div");
      more.textContent = `${choices.length - shown.length} more: type a part of a name`;
      group.append(more);
    }
    return group;
  }

  private toggle(id: string, on: boolean): void {
    const others = this.plots.chosen.filter((other) => other !== id);
    this.plots.choose(on ? [...others, id] : others);
    this.onChange();
  }
}
