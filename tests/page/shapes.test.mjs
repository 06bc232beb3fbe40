// What is drawn of shapes and looks, and how much it costs.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, drawn, folder, open, pixels, probe, scrubTo } from "./opened_page.mjs";

const shapes = JSON.parse(readFileSync(join(folder, "shapes.json"), "utf8"));

function readData(name) {
  const page = readFileSync(join(folder, name), "utf8");
  return JSON.parse(page.match(/id="recording">(.*?)<\/script>/s)[1]);
}

test("every kind of shape fills the box that its formula gives", async () => {
  const page = await open("shapes.html", { time: 0 });
  for (const { time, boxes } of shapes) {
    await scrubTo(page, Math.round((time / 1.99) * ((await probe(page, "frames")) - 1)));
    assert.ok(Math.abs((await probe(page, "time")) - time) < 1e-9);
    const parts = new Map((await ask(page, "parts")).map((part) => [part.name, part]));
    assert.equal(parts.size, boxes.length);
    for (const { name, low, high } of boxes) {
      const part = parts.get(name);
      const size = Math.hypot(...high.map((x, k) => x - low[k]));
      // Round shapes are polyhedra of 24 rings at least: they stay 1 − cos(π/24) = 0.9 % of a radius inside.
      for (let k = 0; k < 3; ++k)
        for (const [is, should] of [[part.low[k], low[k]], [part.high[k], high[k]]])
          assert.ok(Math.abs(is - should) < 0.005 * size, `${name} axis ${k} at ${time} s: ${is}, not ${should}`);
    }
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a mesh is in the page once, however many shapes have it", () => {
  const { header } = readData("shapes.html");
  assert.equal(header.meshes.length, 3); // hills, ring, house
  const uses = header.shapes.map((shape) => shape.mesh).filter((mesh) => mesh !== undefined);
  assert.deepEqual(uses.sort(), [0, 0, 1, 1, 2]);
});

test("bodies look as their visuals say, and collision shapes are shown on demand", async () => {
  const page = await open("arm.html", { time: 0 });
  const looks = await ask(page, "parts");
  assert.deepEqual(looks.map(({ layer, name, kind }) => [layer, name, kind]), [
    ["visual", "link 0 looks", "triangles"], ["visual", "link 2 looks", "triangles"],
    ["visual", "link 1 looks", "triangles"], ["visual", "link 3 shape", "capsule"]]);
  assert.equal(looks[0].color, "#e61a1a"); // 0.9, 0.1, 0.1 in 255ths
  assert.equal(looks[2].opacity, 0.5);
  assert.notEqual(looks[1].color, "#ffffff"); // one of the page's own
  await page.keyboard.press("c");
  const names = (await ask(page, "parts")).filter(({ layer }) => layer === "collision").map(({ name }) => name);
  assert.deepEqual(names, [0, 1, 2, 3].map((i) => `link ${i} shape`));
  await page.keyboard.press("v");
  assert.ok((await ask(page, "parts")).every(({ layer }) => layer === "collision"));
  await page.context().close();
});

test("each layer can be switched by its button and by its key, and is seen", async () => {
  const page = await open("arm.html", { time: 0.5, viewport: { width: 480, height: 500 } });
  const before = await pixels(page, "#canvas");
  for (const [name, key] of [["Visual", "v"], ["Collision", "c"], ["Contacts", "t"], ["Frames", "x"]]) {
    const isShown = async () => (await ask(page, "layers")).includes(name.toLowerCase());
    const shown = await isShown();
    const button = page.getByRole("button", { name, exact: true });
    await button.click();
    assert.equal(await isShown(), !shown);
    assert.equal(await button.getAttribute("aria-pressed"), String(!shown));
    const after = await pixels(page, "#canvas");
    const changed = after.filter((color, i) => color !== before[i]).length;
    assert.ok(changed > 400, `${name}: ${changed} pixels changed`); // a pressed button alone changes its frame
    await page.keyboard.press(key);
    assert.equal(await isShown(), shown);
  }
  assert.deepEqual(await pixels(page, "#canvas"), before);
  await page.context().close();
});

test("a thousand bodies are few draw calls, and moving them takes a fraction of a picture of the screen", async () => {
  const page = await open("heap.html", { time: 0 });
  await drawn(page);
  const calls = await ask(page, "drawCalls");
  assert.ok(calls > 3 && calls <= 20, `${calls} draw calls`); // two forms with shadows and lines, contacts, ground
  const milliseconds = await page.evaluate(() => {
    const scrub = document.getElementById("scrub");
    const times = Array.from({ length: 31 }, (_, i) => {
      const start = performance.now();
      scrub.value = String(i);
      scrub.dispatchEvent(new Event("input"));
      return performance.now() - start;
    });
    return times.sort((a, b) => a - b)[15];
  });
  assert.ok(milliseconds < 8, `${milliseconds} ms`); // half a picture of the screen; alone on a laptop it is 0.6 ms
  await page.context().close();
});

test("a humanoid of 50 meshes is a page of 5 MB and opens in a second or two", async () => {
  assert.ok(statSync(join(folder, "humanoid.html")).size < 5e6); // 160 000 triangles: 1.9 MB in base64
  const page = await open("humanoid.html", { time: 0 });
  const { ready, before } = await page.evaluate(() => {
    const { domInteractive, responseEnd } = performance.getEntriesByType("navigation")[0];
    return { ready: domInteractive, before: responseEnd };
  });
  assert.ok(ready - before < 5000, `${ready - before} ms`); // 0.8 s alone; tests share the machine
  await drawn(page);
  assert.ok((await ask(page, "drawCalls")) <= 2 * 50 + 10);
  await page.context().close();
});
