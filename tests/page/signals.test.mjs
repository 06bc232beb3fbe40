// Signals that a reader chooses, and what can be taken away: curves and pictures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ask, drawn, open, pixels, probe } from "./opened_page.mjs";

async function choose(page, ...labels) {
  await page.getByText("Signals", { exact: true }).click();
  for (const label of labels) await page.getByLabel(label, { exact: true }).check();
  await page.getByText("Signals", { exact: true }).click();
}

test("chosen signals of joints and bodies are what the recording holds", async () => {
  const page = await open("arm.html", { time: 1 });
  await choose(page, "Joint position: link 1 joint", "Joint velocity: link 3 joint", "Joint torque: link 0 joint",
    "Joint torque: link 2 joint", "Joint torque: link 3 joint", "Contact normal force: link 3", "Body height: link 0",
    "Body speed: link 1");
  const plots = (await ask(page, "plots")).slice(4);
  assert.deepEqual(plots.map(({ title, labels }) => [title, ...labels]), [
    ["Joint position [rad]", "link 1 joint"], ["Joint velocity [m/s]", "link 3 joint"],
    ["Joint torque [N m]", "link 0 joint", "link 2 joint"], ["Joint torque [N]", "link 3 joint"],
    ["Contact normal force [N]", "link 3"], ["Body height [m]", "link 0"], ["Body speed [m/s]", "link 1"]]);
  const range = (curve) => [Math.min(...curve), Math.max(...curve)];
  const expectRange = (plot, curve, low, high) => {
    const [lowest, highest] = range(plots[plot].curves[curve]);
    assert.ok(Math.abs(lowest - low) < 1e-4 && Math.abs(highest - high) < 1e-4, `${plot}: ${lowest} … ${highest}`);
  };
  // 3 s: more than one period of each, sampled every ms, with every extreme kept.
  expectRange(0, 0, -0.2, 0.2); // 0.2 sin 3t
  expectRange(1, 0, -1.2, 1.2); // 1.2 cos 3t
  expectRange(2, 0, -1, 1); // cos 7t
  expectRange(2, 1, 1, 3); // 2 + cos 7t
  expectRange(3, 0, 2, 4);
  expectRange(4, 0, 8, 8); // 4 N from the world and 4 N from link 2
  expectRange(5, 0, 1, 1);
  assert.ok(Math.abs(range(plots[6].curves[0])[1] - 0.105) < 1e-4); // 0.35 m · 0.3 cos 3t, from frames
  for (const plot of plots) assert.ok(plot.curves.every((curve) => curve.length > 100));
  await page.context().close();
});

test("the marker stands at the time shown in plots that were chosen later", async () => {
  const page = await open("arm.html", { time: 1.5, settings: "&plot=energy" });
  await choose(page, "Joint torque: link 0 joint");
  await drawn(page);
  const plots = await page.locator(".u-over").evaluateAll((items) => items.map((item) => {
    const box = item.getBoundingClientRect();
    return (item.querySelector(".marker").getBoundingClientRect().x - box.x) / box.width;
  }));
  assert.equal(plots.length, 2);
  for (const share of plots) assert.ok(Math.abs(share - (await probe(page, "time")) / 2.999) < 0.01, `${share}`);
  await page.context().close();
});

test("a filter finds signals among thousands", async () => {
  const page = await open("heap.html", { time: 0 });
  await page.getByText("Signals", { exact: true }).click();
  const items = page.locator("#signal_list label");
  assert.ok((await items.count()) < 300); // a list that stays fast
  await page.getByLabel("Filter signals").fill("force 73");
  const found = await items.allInnerTexts();
  assert.ok(found.length > 0 && found.every((text) => text.includes("73")));
  await page.getByLabel("Filter signals").fill("speed thing 737");
  await page.getByLabel("Body speed: thing 737").check();
  await page.getByLabel("Filter signals").fill("no such thing");
  assert.match(await page.locator("#signal_list").innerText(), /Nothing fits/);
  const titles = () => ask(page, "plots").then((plots) => plots.map(({ title }) => title));
  assert.ok((await titles()).includes("Body speed [m/s]"));
  await page.getByLabel("Back to the first signals").click();
  assert.equal((await titles()).length, 4);
  await page.context().close();
});

test("letters typed into a filter are no commands", async () => {
  const page = await open("arm.html", { time: 1 });
  const layers = await ask(page, "layers");
  await page.getByText("Signals", { exact: true }).click();
  await page.getByLabel("Filter signals").focus();
  await page.keyboard.type("vctx f");
  assert.deepEqual(await ask(page, "layers"), layers);
  assert.equal(await page.getByLabel("Filter signals").inputValue(), "vctx f");
  assert.equal(await probe(page, "playing"), false);
  await page.context().close();
});

async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test("the CSV file holds what is plotted", async () => {
  const page = await open("arm.html", { time: 1, settings: "&plot=energy,torque:link 2 joint,height:link 1" });
  const { name, bytes } = await download(page, "Save the curves as CSV");
  assert.equal(name, "arm.csv");
  const [head, ...rows] = bytes.toString().trim().split("\n").map((line) => line.split(","));
  assert.deepEqual(head, ['"time [s]"', '"Energy: kinetic [J]"', '"Energy: potential [J]"', '"Energy: total [J]"',
    '"Joint torque: link 2 joint [N m]"', '"Body height: link 1 [m]"']);
  const times = rows.map(([time]) => Number(time));
  assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]));
  const plots = await ask(page, "plots");
  const column = (i) => rows.filter((row) => row[i] !== "").map((row) => Number(row[i]));
  [...plots[0].curves, ...plots[1].curves, ...plots[2].curves].forEach((curve, i) =>
    assert.deepEqual(column(i + 1), curve));
  await page.context().close();
});

test("the picture is a PNG of twice the size, of what is seen", async () => {
  const page = await open("shapes.html", { time: 0.5, viewport: { width: 480, height: 500 } });
  const before = await pixels(page, "#canvas");
  const { name, bytes } = await download(page, "PNG");
  assert.equal(name, "shapes.png");
  const { width, height } = await page.locator("#canvas").boundingBox();
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.equal(bytes.readUInt32BE(16), 2 * Math.round(width));
  assert.equal(bytes.readUInt32BE(20), 2 * Math.round(height));
  assert.deepEqual(await pixels(page, "#canvas"), before); // the screen is as it was
  const colors = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, bytes.toString("base64"));
  assert.ok(colors > 200, `${colors} colours`);
  await page.context().close();
});
