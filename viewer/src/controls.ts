// Buttons, slider and keys. They change the player; `refresh` shows its state.
import type { Recording } from "./data";
import { kSpeeds, type Player } from "./player";

const kPlayIcon = "M4 2.5v11l9-5.5z";
const kPauseIcon = "M4 2.5h3v11H4zM9 2.5h3v11H9z";
const kLeap = 0.5; // s, arrow keys with Shift

function find<T extends Element>(id: string): T {
  return document.getElementById(id) as unknown as T;
}

export class Controls {
  private readonly player: Player;
  private readonly end: string;
  private readonly digits: number;
  private readonly play = find<HTMLButtonElement>("play");
  private readonly icon = find<SVGPathElement>("play_icon");
  private readonly scrub = find<HTMLInputElement>("scrub");
  private readonly clock = find<HTMLOutputElement>("clock");
  private readonly speed = find<HTMLSelectElement>("speed");
  private readonly follow = find<HTMLButtonElement>("follow");

  // `otherKeys`: what keys do that are no business of the player.
  constructor(recording: Recording, player: Player, private readonly setFollow: (follow: boolean) => void,
              private readonly otherKeys: (key: string) => (() => void) | undefined) {
    this.player = player;
    this.digits = player.end < 1 ? 4 : 3;
    this.end = player.end.toFixed(this.digits);
    this.scrub.max = String(recording.frames.count - 1);
    for (const value of kSpeeds) this.speed.add(new Option(`${value}×`, String(value)));

    this.play.addEventListener("click", () => player.toggle());
    this.scrub.addEventListener("input", () => {
      if (player.playing) player.pause();
      player.seekFrame(Number(this.scrub.value));
    });
    this.speed.addEventListener("change", () => {
      player.speed = Number(this.speed.value);
      this.refresh();
    });
    this.follow.addEventListener("click", () => this.toggleFollow());
    document.addEventListener("keydown", (event) => this.pressKey(event));
  }

  refresh(): void {
    const { playing, frame, time, speed } = this.player;
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.icon.setAttribute("d", playing ? kPauseIcon : kPlayIcon);
    this.scrub.value = String(frame);
    this.scrub.setAttribute("aria-valuetext", `${time.toFixed(this.digits)} seconds`);
    this.clock.textContent = `${time.toFixed(this.digits)} / ${this.end} s`;
    this.speed.value = String(speed);
  }

  toggleFollow(): void {
    const on = this.follow.getAttribute("aria-pressed") !== "true";
    this.follow.setAttribute("aria-pressed", String(on));
    this.setFollow(on);
  }

  private pressKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = event.target instanceof HTMLElement ? event.target.tagName : "";
    // Space on a focused button presses it, arrows in the list of speeds move in it: leave that to the browser.
    if (event.key === " " && (focused === "BUTTON" || focused === "SUMMARY")) return;
    if (focused === "SELECT" && event.key !== " ") return;
    if (event.target instanceof HTMLInputElement && ["search", "checkbox"].includes(event.target.type)) return;
    const action = this.findAction(event);
    if (!action) return;
    event.preventDefault();
    action();
  }

  private findAction(event: KeyboardEvent): (() => void) | undefined {
    const { player } = this;
    const step = (direction: 1 | -1) => () => {
      const time = player.time + direction * kLeap;
      const frame = player.frame + direction;
      if (player.playing) player.pause();
      if (event.shiftKey) player.seekTime(time);
      else player.seekFrame(frame);
    };
    switch (event.key) {
      case " ": return () => player.toggle();
      case "ArrowRight": return step(1);
      case "ArrowLeft": return step(-1);
      case "ArrowUp": return () => player.changeSpeed(1);
      case "ArrowDown": return () => player.changeSpeed(-1);
      case "Home": return () => player.seekFrame(0);
      case "End": return () => player.seekTime(player.end);
      case "f": case "F": return () => this.toggleFollow();
      default: return this.otherKeys(event.key);
    }
  }
}
