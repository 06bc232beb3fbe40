// The page: reads the recording inside it and puts picture, plots and controls together.
import { Controls } from "./controls";
import { readRecording, type Recording } from "./data";
import { fillHeader, fillLegend } from "./header";
import { Player } from "./player";
import { Plots } from "./plots";
import { makeProbe, type Probe } from "./probe";
import { Stage } from "./stage";

declare global {
  interface Window {
    rigor: Probe;
  }
}

// Without WebGL the plots and the verdict still work.
function makeStage(recording: Recording): Stage | null {
  try {
    return new Stage(document.getElementById("canvas") as HTMLCanvasElement, recording);
  } catch (error) {
    const trouble = document.getElementById("trouble")!;
    const reason = error instanceof Error ? error.message : error;
    trouble.textContent = `No 3D picture: ${reason}. The plots work without it.`;
    trouble.hidden = false;
    return null;
  }
}

// page.html#t=1.5 opens at that time and stands still; without it the recording plays, unless motion is unwelcome.
function start(player: Player): void {
  const wanted = /^#t=([\d.]+)$/.exec(window.location.hash);
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (wanted) player.seekTime(Number(wanted[1]));
  else if (calm) player.seekFrame(0);
  else player.play();
}

const recording = readRecording(document.getElementById("recording")!.textContent!);
fillHeader(recording);
const stage = makeStage(recording);
if (stage) fillLegend(stage.contacts.newtons_per_metre, stage.cell);
const player = new Player(recording.frames, refresh);
const plots = new Plots(document.getElementById("plots")!, recording, (time) => {
  if (player.playing) player.pause();
  player.seekTime(time);
});
const controls = new Controls(recording, player, (follow) => stage?.setFollow(follow));

function refresh(): void {
  stage?.show(player.frame, player.fraction);
  plots.setTime(player.time);
  controls.refresh();
}

window.rigor = makeProbe(recording, player, plots, stage);
if (stage?.shouldFollow()) controls.toggleFollow();
start(player);
