// The clock: which frame is shown, and whether time runs.
import { findIndex, type Frames } from "./data";

export const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class Player {
  playing = false;
  speed = 1;
  time: number; // s of the recording
  private readonly frames: Frames;
  private readonly onChange: () => void;
  private last_tick = 0; // ms of the browser's clock

  constructor(frames: Frames, onChange: () => void) {
    this.frames = frames;
    this.onChange = onChange;
    this.time = frames.time[0]!;
  }

  get frame(): number {
    return findIndex(this.frames.time, this.time);
  }

  // How far between this frame and the next one; 0 whenever time stands still.
  get fraction(): number {
    const { time, count } = this.frames;
    const frame = this.frame;
    return frame + 1 < count ? Math.max(0, (this.time - time[frame]!) / (time[frame + 1]! - time[frame]!)) : 0;
  }

  get end(): number {
    return this.frames.time[this.frames.count - 1]!;
  }

  play(): void {
    if (this.playing) return;
    if (this.time >= this.end) this.time = this.frames.time[0]!;
    this.playing = true;
    this.last_tick = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.onChange();
  }

  // Stops at a recorded pose, never between two.
  pause(): void {
    this.playing = false;
    this.seekFrame(this.frame);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  seekFrame(frame: number): void {
    this.time = this.frames.time[Math.min(Math.max(frame, 0), this.frames.count - 1)]!;
    this.onChange();
  }

  // The frame nearest to a time.
  seekTime(time: number): void {
    const { time: times, count } = this.frames;
    const frame = findIndex(times, time);
    const next = Math.min(frame + 1, count - 1);
    this.seekFrame(times[next]! - time < time - times[frame]! ? next : frame);
  }

  // Next higher or lower speed of the list.
  changeSpeed(direction: 1 | -1): void {
    const index = kSpeeds.indexOf(this.speed) + direction;
    this.speed = kSpeeds[Math.min(Math.max(index, 0), kSpeeds.length - 1)]!;
    this.onChange();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    // A hidden tab gets no ticks: do not jump when it comes back.
    const passed = Math.min(Math.max(now - this.last_tick, 0), 250);
    this.last_tick = now;
    this.time = Math.min(this.time + (this.speed * passed) / 1000, this.end);
    if (this.time >= this.end) this.pause();
    else {
      this.onChange();
      requestAnimationFrame((next) => this.tick(next));
    }
  }
}
