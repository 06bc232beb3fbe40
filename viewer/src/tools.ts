// The bar above the picture: layers, sides to look from, a list of bodies, a picture to keep.
import type { Recording } from "./data";
import { save } from "./save";
import { kLayers, type Layer, type Stage } from "./stage";
import { kSides, type Side } from "./view";

const kPictureFactor = 2; // times the pixels of the screen

const kLayerText: Record<Layer, [string, string, string]> = {
  visual: ["Visual", "v", "What the bodies look like"],
  collision: ["Collision", "c", "Shapes that collide"],
  contacts: ["Contacts", "t", "Points and forces of contact"],
  frames: ["Frames", "x", "Frames of the bodies: x red, y green, z blue"],
};
const kSideText: Record<Side, [string, string]> = {
  iso: ["Iso", "1"], front: ["Front", "2"], side: ["Side", "3"], top: ["Top", "4"],
};

export class Tools {
  private readonly bar = document.getElementById("tools")!;
  private readonly finder = document.getElementById("find_body") as HTMLInputElement;
  private readonly buttons = new Map<Layer, HTMLButtonElement>();
  private readonly keys = new Map<string, () => void>();

  // `onChange`: the reader has changed what the address of the page should remember.
  constructor(private readonly recording: Recording, private readonly stage: Stage,
              private readonly pick: (body: number) => void, private readonly onChange: () => void) {
    this.bar.hidden = false;
    const layers = document.getElementById("layers")!;
    for (const layer of kLayers) {
      const [text, key, meaning] = kLayerText[layer];
      const button = this.addButton(layers, text, key, meaning, () => this.setLayer(layer, !stage.isShown(layer)));
      this.buttons.set(layer, button);
    }
    const sides = document.getElementById("sides")!;
    for (const side of Object.keys(kSides) as Side[]) {
      const [text, key] = kSideText[side];
      this.addButton(sides, text, key, `Look from: ${text.toLowerCase()}`, () => this.look(() => stage.view.lookFrom(side)));
    }
    this.addButton(sides, "Reset", "r", "Camera back to what moves", () => this.look(() => stage.view.reset()));
    this.addButton(document.getElementById("keep")!, "PNG", "p", "Save the view as a picture", () => void this.keepPicture());
    this.fillFinder();
    this.refresh();
  }

  findAction(key: string): (() => void) | undefined {
    return this.keys.get(key.toLowerCase());
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.stage.setLayer(layer, visible);
    this.refresh();
    this.onChange();
  }

  private refresh(): void {
    for (const [layer, button] of this.buttons) button.setAttribute("aria-pressed", String(this.stage.isShown(layer)));
  }

  private look(move: () => void): void {
    move();
    this.stage.draw();
    this.onChange();
  }

  private addButton(parent: HTMLElement, text: string, key: string, meaning: string, act: () => void): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = `${meaning} (${key.toUpperCase()})`;
    button.setAttribute("aria-label", text);
    button.addEventListener("click", act);
    parent.append(button);
    this.keys.set(key, act);
    return button;
  }

  // Bodies inside others cannot be clicked at, but can be named.
  private fillFinder(): void {
    const { bodies } = this.recording;
    const names = document.getElementById("body_names")!;
    names.append(...bodies.map(({ name }) => new Option(name, name)));
    const find = () => {
      const body = bodies.findIndex(({ name }) => name === this.finder.value);
      if (body < 0) return;
      this.pick(body);
      this.finder.value = "";
      this.finder.blur();
    };
    this.finder.addEventListener("input", find);
    this.finder.addEventListener("change", find);
  }

  private async keepPicture(): Promise<void> {
    save(await this.stage.takePicture(kPictureFactor), `${this.recording.name}.png`);
  }
}
