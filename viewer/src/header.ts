// The strip above the picture: what ran, how long, how well; and the legend of the contacts.
import { kModes, type Recording } from "./data";
import { countText, lengthText, shortNumber } from "./numbers";
import { currentTheme, onThemeChange } from "./theme";

function addFact(list: HTMLElement, term: string, text: string, state?: "good" | "bad"): void {
  const item = document.createElement("div");
  const name = document.createElement("dt");
  const value = document.createElement("dd");
  name.textContent = term;
  value.textContent = text;
  if (state) value.className = state;
  item.append(name, value);
  list.append(item);
}

export function fillHeader(recording: Recording): void {
  document.title = `${recording.name} – rigor`;
  document.getElementById("name")!.textContent = recording.name;
  const list = document.getElementById("verdict")!;
  addFact(list, "simulated", `${shortNumber(recording.seconds)} s`);
  addFact(list, "steps", `${countText(recording.steps)} of ${shortNumber(1000 * recording.dt)} ms`);
  const { law, equation, step, penetration } = recording.worst;
  const finite = law !== null && equation !== null && step !== null;
  const worst = finite ? Math.max(law, equation, step) : Infinity;
  const good = worst <= recording.limit;
  const judged = `${shortNumber(worst)} ${good ? "✓ within" : "✗ above"} ${shortNumber(recording.limit)}`;
  addFact(list, "worst residual", finite ? judged : "✗ not finite", good ? "good" : "bad");
  addFact(list, "deepest penetration", penetration === null ? "not finite" : lengthText(penetration));
}

const kMeaning = { open: "open", stick: "sticks", slip: "slips" };

export function fillLegend(newtons_per_metre: number, cell: number): void {
  const legend = document.getElementById("legend")!;
  for (const mode of kModes) {
    const item = document.createElement("span");
    item.className = "key";
    item.dataset.mode = mode;
    item.textContent = kMeaning[mode];
    legend.append(item);
  }
  const scale = document.createElement("span");
  scale.textContent = `force arrow: one square (${lengthText(cell)}) = ${shortNumber(newtons_per_metre * cell)} N`;
  legend.append(scale);
  const paint = () => {
    for (const item of legend.querySelectorAll<HTMLElement>(".key"))
      item.style.setProperty("--key", currentTheme().modes[item.dataset.mode as (typeof kModes)[number]]);
  };
  onThemeChange(paint);
  paint();
}
