// Where the energy went, as a stack of areas under a line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, open, pixels } from "./opened_page.mjs";

test("the ledger is a plot of every account and of the energy that they add up to", async () => {
  const page = await open("ledger.html", { time: 1.5 });
  const plots = await ask(page, "plots");
  assert.deepEqual(plots.map(({ title }) => title).slice(0, 2), ["Energy [J]", "Energy ledger [J]"]);
  const { labels, curves } = plots[1];
  assert.deepEqual(labels, ["drives", "friction", "impacts", "integrator", "change"]);
  const at = curves.map((curve) => curve.at(-1)); // after 2 s
  [10, -4, -3, 0.004, 3.004].forEach((expected, i) => assert.ok(Math.abs(at[i] - expected) < 1e-9, `${labels[i]} ${at[i]}`));
  for (let node = 0; node < curves[0].length; ++node) {
    const sum = curves.slice(0, 4).reduce((total, curve) => total + curve[node], 0);
    assert.ok(Math.abs(sum - curves[4][node]) < 1e-9);
  }
  // of the frame before 1.5 s, at most 17 ms earlier
  assert.match(await page.locator("figure:nth-of-type(2) figcaption").innerText(), /drives 7\.4\d.*friction -2\.9\d.*impacts -3/s);
  await page.context().close();
});

test("what is gained is an area above zero and what is lost one below, in the colour of its account", async () => {
  const page = await open("ledger.html", { time: 0, colorScheme: "light" });
  const box = await page.locator("figure:nth-of-type(2) .u-over").boundingBox();
  const plot = await page.locator("figure:nth-of-type(2) .u-wrap").boundingBox();
  const colors = await pixels(page, "figure:nth-of-type(2) .u-wrap");
  const width = Math.round(plot.width);
  // The scale goes from −7 to 10 J, and 6 % more at both ends; drives and friction at 2 s reach from 10 to 0 and to −4 J.
  const height = (joule) => (10 + 0.06 * 17 - joule) / (1.12 * 17) * box.height + box.y - plot.y;
  const column = Math.round(box.x - plot.x + 0.95 * box.width);
  const colorAt = (joule) => colors[Math.round(height(joule)) * width + column];
  const parts = (color) => [color >> 16, (color >> 8) & 255, color & 255];
  const [red, , blue] = parts(colorAt(6)); // drives, orange; no grid line, no change at 3 J
  assert.ok(red > blue + 60, `drives ${parts(colorAt(6))}`);
  const friction = parts(colorAt(-2)); // blue
  assert.ok(friction[2] > friction[0] + 60, `friction ${friction}`);
  assert.notEqual(colorAt(-5.5), colorAt(-2)); // the impact below it
  await page.context().close();
});
