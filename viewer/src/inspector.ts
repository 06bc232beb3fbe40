// The picked body: its name and its numbers at the time shown.
import { kModes, type Recording } from "./data";
import { countText, shortNumber } from "./numbers";
import { currentTheme } from "./theme";

const kMostContacts = 12; // rows of the table; the rest is counted

interface ContactRow {
  other: string;
  normal: number; // N
  friction: number; // N
  mode: number;
}

export class Inspector {
  body = -1;
  private readonly panel = document.getElementById("inspector")!;
  private readonly title = document.getElementById("body_name")!;
  private readonly facts = document.getElementById("body_facts")!;
  private readonly contacts = document.getElementById("body_contacts")!;

  constructor(private readonly recording: Recording) {}

  pick(body: number, frame: number): void {
    this.body = body;
    this.panel.hidden = body < 0;
    this.refresh(frame);
  }

  refresh(frame: number): void {
    if (this.body < 0) return;
    const { bodies, frames } = this.recording;
    const { name, mass, parent } = bodies[this.body]!;
    const at = frame * bodies.length + this.body;
    const place = Array.from(frames.pose.subarray(7 * at, 7 * at + 3), (x) => x.toFixed(3)).join("  ");
    const rows = this.listContacts(frame);
    const total = rows.reduce((sum, row) => sum + row.normal, 0);
    const facts: [string, string][] = [
      ["mass", `${shortNumber(mass)} kg`],
      ["hangs on", parent < 0 ? "world" : bodies[parent]!.name],
      ["position x y z", `${place} m`],
    ];
    if (frames.speed.length > 0) {
      facts.push(["speed", `${shortNumber(frames.speed[2 * at]!)} m/s`]);
      facts.push(["spin", `${shortNumber(frames.speed[2 * at + 1]!)} rad/s`]);
    }
    if (frames.contact_body.length > 0)
      facts.push(["contacts", rows.length === 0 ? "none" : `${countText(rows.length)}, normal ${shortNumber(total)} N`]);
    this.title.textContent = name;
    this.facts.replaceChildren(...facts.map(([term, text]) => makeFact(term, text)));
    this.fillContacts(rows);
  }

  private listContacts(frame: number): ContactRow[] {
    const { bodies, frames } = this.recording;
    const { contact_start, contact_body, contact_normal, contact_force, contact_mode } = frames;
    const rows: ContactRow[] = [];
    for (let i = contact_start[frame]!; i < contact_start[frame + 1]!; ++i) {
      const pair = [contact_body[2 * i]!, contact_body[2 * i + 1]!];
      if (!pair.includes(this.body)) continue;
      const other = pair[0] === this.body ? pair[1]! : pair[0]!;
      const size = Math.hypot(contact_force[3 * i]!, contact_force[3 * i + 1]!, contact_force[3 * i + 2]!);
      const normal = contact_normal[i]!;
      const friction = Math.sqrt(Math.max(0, size * size - normal * normal));
      rows.push({ other: other < 0 ? "world" : bodies[other]!.name, normal, friction, mode: contact_mode[i]! });
    }
    return rows.sort((a, b) => b.normal - a.normal);
  }

  private fillContacts(rows: ContactRow[]): void {
    const shown = rows.slice(0, kMostContacts).map(({ other, normal, friction, mode }) => {
      const name = makeCell("td", other);
      name.className = "key";
      name.style.setProperty("--key", currentTheme().modes[kModes[mode]!]);
      return makeRow(name, makeCell("td", shortNumber(normal)), makeCell("td", shortNumber(friction)));
    });
    const head = makeRow(makeCell("th", "touches"), makeCell("th", "normal [N]"), makeCell("th", "friction [N]"));
    const rest = rows.length - shown.length;
    this.contacts.replaceChildren(...(rows.length > 0 ? [head] : []), ...shown,
      ...(rest > 0 ? [makeRow(makeCell("td", `and ${countText(rest)} more`))] : []));
  }
}

function makeFact(term: string, text: string): HTMLElement {
  const item = document.createElement("div");
  item.append(makeCell("dt", term), makeCell("dd", text));
  return item;
}

function makeCell(tag: "td" | "th" | "dt" | "dd", text: string): HTMLElement {
  const cell = document.createElement(tag);
  cell.textContent = text;
  return cell;
}

function makeRow(...cells: HTMLElement[]): HTMLElement {
  const row = document.createElement("tr");
  row.append(...cells);
  return row;
}
