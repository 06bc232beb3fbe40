// The strip above the picture: what ran, how long, how well; and the legend of the contacts.
import { kModes, type Recording, type Verdict } from "./data";
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

const kStatusText = {
  done: "✓ done",
  incomplete: "✗ incomplete",
  refused: "✗ refused",
  interrupted: "✗ interrupted",
};

function describeStatus(verdict: Verdict): string {
  let text = kStatusText[verdict.status];
  if (verdict.failed_steps > 0) text += `, ${countText(verdict.failed_steps)} of the steps`;
  return verdict.missing ? `${text}, ${verdict.missing}` : text;
}

// The same words as the terminal: a residual above the limit that only rounding explains was accepted.
function addResidual(list: HTMLElement, recording: Recording): void {
  const { law, equation, step } = recording.worst;
  if (law === null || equation === null || step === null) {
    addFact(list, "worst residual", "✗ not finite", "bad");
    return;
  }
  const worst = Math.max(law, equation, step);
  const limit = shortNumber(recording.limit);
  const by_floor = recording.verdict?.by_floor ?? 0;
  if (by_floor > 0)
    addFact(list, "worst residual", `${shortNumber(worst)} ✓ ${countText(by_floor)} step${by_floor === 1 ? "" : "s"} ` +
      `above ${limit} excused by the rounding of large impulses`, "good");
  else if (worst <= recording.limit)
    addFact(list, "worst residual", `${shortNumber(worst)} ✓ within ${limit}`, "good");
  else addFact(list, "worst residual", `${shortNumber(worst)} ✗ above ${limit}`, "bad");
}

export function fillHeader(recording: Recording): void {
  document.title = `${recording.name} – rigor`;
  document.getElementById("name")!.textContent = recording.name;
  const list = document.getElementById("verdict")!;
  const verdict = recording.verdict;
  if (verdict) addFact(list, "verdict", describeStatus(verdict), verdict.status === "done" ? "good" : "bad");
  addFact(list, "simulated", `${shortNumber(recording.seconds)} s`);
  addFact(list, "steps", `${countText(recording.steps)} of ${shortNumber(1000 * recording.dt)} ms`);
  addResidual(list, recording);
  const { penetration } = recording.worst;
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
