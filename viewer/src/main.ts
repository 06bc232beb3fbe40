// The page: reads the recording inside it and puts picture, plots and controls together.
import { Chooser } from "./chooser";
import { Controls } from "./controls";
import { readRecording, type Recording } from "./data";
import { fillHeader, fillLegend } from "./header";
import { Inspector } from "./inspector";
import { Player } from "./player";
import { Plots } from "./plots";
import { makeProbe, type Probe } from "./probe";
import { save } from "./save";
import { Settings } from "./settings";
import { kLayers, kLayersAtFirst, Stage } from "./stage";
import { onTap } from "./tap";
import { Tools } from "./tools";

declare global {
  interface Window {
    rigor: Probe;
  }
}

const canvas = document.getElementById("canvas") as HTMLCanvasElement;

// Without WebGL the plots and the verdict still work.
function makeStage(recording: Recording): Stage | null {
  try {
    return new Stage(canvas, recording);
  } catch (error) {
    const trouble = document.getElementById("trouble")!;
    const reason = error instanceof Error ? error.message : error;
    trouble.textContent = `No 3D picture: ${reason}. The plots work without it.`;
    trouble.hidden = false;
    return null;
  }
}

const settings = new Settings();
const recording = readRecording(document.getElementById("recording")!.textContent!);
fillHeader(recording);
const stage = makeStage(recording);
if (stage) fillLegend(stage.contacts.newtons_per_metre, stage.cell);
const inspector = new Inspector(recording);
const player = new Player(recording.frames, refresh);
const plots = new Plots(recording, (time) => {
  if (player.playing) player.pause();
  player.seekTime(time);
});
const chooser = new Chooser(plots, remember);
const tools = stage && new Tools(recording, stage, pick, remember);
const controls = new Controls(recording, player, setFollow, (key) =>
  key === "Escape" ? () => pick(-1) : tools?.findAction(key));

function refresh(): void {
  stage?.show(player.frame, player.fraction);
  plots.setTime(player.time);
  controls.refresh();
  inspector.refresh(player.frame);
  const between = !player.playing && player.frame > 0 && player.frame < recording.frames.count - 1;
  settings.set("t", between ? String(Number(player.time.toFixed(6))) : null); // a page just opened plays from the start
}

function pick(body: number): void {
  inspector.pick(body, player.frame);
  stage?.setPicked(body);
  if (body >= 0 && stage?.view.follow) stage.view.setFollow(true);
  remember();
}

function setFollow(follow: boolean): void {
  stage?.view.setFollow(follow);
  stage?.draw();
  remember();
}

// Only what differs from a page just opened.
function remember(): void {
  const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x, i) => x === b[i]);
  const layers = kLayers.filter((layer) => stage?.isShown(layer));
  settings.setList("show", same(layers, kLayersAtFirst) ? null : layers);
  settings.setList("plot", same(plots.chosen, plots.signals.first) ? null : plots.chosen);
  settings.set("body", inspector.body < 0 ? null : recording.bodies[inspector.body]!.name);
  if (!stage) return;
  const { view } = stage;
  settings.set("follow", view.follow === view.framing.travels ? null : String(Number(view.follow)));
  settings.setList("camera", view.moved ? view.place.map((x) => String(Number(x.toPrecision(5)))) : null);
}

// What the address asks for; names that the recording does not have are passed over.
function restore(): void {
  const shown = settings.list("show");
  const plotted = settings.list("plot");
  const camera = settings.list("camera")?.map(Number);
  const follow = settings.get("follow");
  const body = recording.bodies.findIndex(({ name }) => name === settings.get("body"));
  if (stage && shown) for (const layer of kLayers) tools!.setLayer(layer, shown.includes(layer));
  if (plotted) chooser.choose(plotted.filter((id) => plots.signals.has(id)));
  if (body >= 0) pick(body);
  if (stage && (follow === undefined ? stage.view.framing.travels : follow === "1")) controls.toggleFollow();
  if (stage && camera?.length === 6 && camera.every(Number.isFinite)) stage.view.place = camera;
}

// page.html#t=1.5 opens at that time and stands still; without it the recording plays, unless motion is unwelcome.
function start(): void {
  const wanted = Number(settings.get("t") ?? NaN);
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (Number.isFinite(wanted)) player.seekTime(wanted);
  else if (calm) player.seekFrame(0);
  else player.play();
}

if (stage) {
  onTap(canvas, (x, y) => pick(stage.pickAt(x, y)));
  stage.onMove = remember;
}
document.getElementById("unpick")!.addEventListener("click", () => pick(-1));
document.getElementById("csv")!.addEventListener("click", () =>
  save(new Blob([plots.makeCsv()], { type: "text/csv" }), `${recording.name}.csv`));
window.rigor = makeProbe(recording, player, plots, stage);
start();
restore();
