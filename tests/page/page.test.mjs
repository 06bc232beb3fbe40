// The page as a reader meets it: opened from a file, without network, in a real browser.
// node --test page.test.mjs with PAGES naming the folder that make_pages filled.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, drawn, folder, near, open, pixels, probe, scrubTo } from "./opened_page.mjs";

const toys = JSON.parse(readFileSync(join(folder, "toys.json"), "utf8"));

test("the viewer weighs at most 1 MB and 10 s of a 21-body robot at most 3 MB", () => {
  const page = readFileSync(join(folder, "toys.html"));
  const data = page.toString().match(/id="recording">(.*?)<\/script>/s)[1];
  const viewer = page.length - Buffer.byteLength(data);
  assert.ok(viewer > 1e5 && viewer <= 1e6, `viewer ${viewer} bytes`);
  assert.ok(statSync(join(folder, "walker.html")).size <= 3e6);
});

test("the page opens from a file, asks for nothing else and complains about nothing", async () => {
  for (const name of ["toys.html", "walker.html"]) {
    const page = await open(name, { time: 1 });
    await drawn(page);
    assert.deepEqual(page.requests.filter((url) => !url.startsWith("data:")), [page.address.replace(/#.*/, "")]);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("the picture is not blank, and changes with time", async () => {
  const page = await open("toys.html", { time: 0 });
  const before = await pixels(page, "#canvas");
  assert.ok(new Set(before).size > 200, `only ${new Set(before).size} colours`);
  await scrubTo(page, 60);
  const after = await pixels(page, "#canvas");
  const changed = after.filter((color, i) => color !== before[i]).length;
  assert.ok(changed > 0.01 * after.length, `only ${changed} of ${after.length} pixels changed`);
  await page.context().close();
});

test("bodies are drawn where the recording says", async () => {
  const page = await open("toys.html", { time: 0 });
  const last = (await probe(page, "frames")) - 1;
  for (const frame of [0, 1, 7, 50, last]) {
    await scrubTo(page, frame);
    assert.equal(await probe(page, "frame"), frame);
    const expected = toys.rows[await probe(page, "row")];
    near(await probe(page, "time"), expected.time, 1, "time");
    const positions = await ask(page, "bodyPositions");
    const turns = await ask(page, "bodyQuaternions");
    assert.equal(positions.length, expected.poses.length);
    expected.poses.forEach((pose, body) => {
      const size = Math.hypot(...pose.slice(0, 3));
      for (let k = 0; k < 3; ++k) near(positions[body][k], pose[k], size, `frame ${frame} body ${body} position ${k}`);
      const dot = turns[body].reduce((sum, x, k) => sum + x * pose[3 + k], 0);
      near(Math.abs(dot), 1, 1, `frame ${frame} body ${body} rotation`); // q and −q are the same rotation
    });
  }
  assert.equal(await probe(page, "row"), toys.rows.length - 1);
  await page.context().close();
});

test("every force is an arrow of its length, direction and colour, on the body that can move", async () => {
  const page = await open("toys.html", { time: 0 });
  const keys = page.locator("#legend .key");
  const legend = await keys.evaluateAll((items) => items.map((item) => item.style.getPropertyValue("--key")));
  const scale = await probe(page, "newtonsPerMetre");
  assert.equal((await ask(page, "arrows")).length, 0); // all in the air
  for (const frame of [20, 61, 100]) {
    await scrubTo(page, frame);
    const contacts = toys.rows[await probe(page, "row")].contacts;
    assert.equal(await ask(page, "dots"), contacts.length);
    const pushing = contacts.filter((contact) => Math.hypot(...contact.impulse) > 0);
    const arrows = await ask(page, "arrows");
    assert.equal(arrows.length, pushing.length);
    pushing.forEach((contact, i) => {
      const force = contact.impulse.map((x) => ((contact.body_2 < 0 ? -x : x) / toys.dt));
      const length = Math.hypot(...force) / scale;
      near(arrows[i].length, length, length, `frame ${frame} arrow ${i} length`);
      for (let k = 0; k < 3; ++k) {
        near(arrows[i].start[k], contact.point[k], 1, "start");
        near(arrows[i].tip[k], contact.point[k] + force[k] / scale, 1, "tip");
      }
      assert.equal(arrows[i].color, legend[contact.mode]);
    });
  }
  await page.context().close();
});

// Writes toys.html again with its data changed by a function.
function rewrite(name, change) {
  const page = readFileSync(join(folder, "toys.html"), "utf8");
  const data = page.match(/id="recording">(.*?)<\/script>/s)[1];
  const changed = JSON.stringify(change(JSON.parse(data))).replaceAll("<", "\\u003c"); // a body is called "</script>"
  writeFileSync(join(folder, name), page.replace(data, () => changed));
}

// The frames of one piece, cut into pieces of `size` frames. Bytes per entry: of one frame, or of one contact.
function cut(piece, size) {
  const bytes = (key) => Buffer.from(piece[key], "base64");
  const starts = new Int32Array(new Uint8Array(bytes("contact_start")).buffer);
  const count = starts.length - 1;
  const pieces = [];
  for (let first = 0; first < count; first += size) {
    const end = Math.min(first + size, count);
    const part = (key, entries, begin, stop) => {
      const width = entries === 0 ? 0 : bytes(key).length / entries;
      return bytes(key).subarray(begin * width, stop * width).toString("base64");
    };
    const contacts = ["contact_point", "contact_force", "contact_normal", "contact_body", "contact_mode"];
    pieces.push({
      ...Object.fromEntries(["row", "time", "pose", "speed"].map((key) => [key, part(key, count, first, end)])),
      ...Object.fromEntries(contacts.map((key) => [key, part(key, starts[count], starts[first], starts[end])])),
      contact_start: Buffer.from(starts.slice(first, end + 1).map((start) => start - starts[first]).buffer)
        .toString("base64"),
    });
  }
  return pieces;
}

// A stream sends frames as they come, and earlier versions wrote all of them at once.
test("frames in many pieces and data of version 1 show the same", async () => {
  rewrite("toys_pieces.html", (data) => ({ ...data, frames: cut(data.frames[0], 7) }));
  rewrite("toys_1.html", ({ header, frames, end }) => ({ version: 1, ...header, ...end, frames: frames[0] }));
  const shown = async (name) => {
    const page = await open(name, { time: 0 });
    const seen = [await ask(page, "plots"), await page.locator("header").innerText()];
    for (const frame of [0, 6, 7, 61, 100]) {
      await scrubTo(page, frame);
      for (const key of ["frames", "row", "time"]) seen.push(await probe(page, key));
      for (const key of ["bodyPositions", "bodyQuaternions", "arrows", "dots"]) seen.push(await ask(page, key));
    }
    await page.context().close();
    return seen;
  };
  const expected = await shown("toys.html");
  assert.deepEqual(await shown("toys_pieces.html"), expected);
  assert.deepEqual(await shown("toys_1.html"), expected);
});

test("the recording plays at the chosen speed, between two frames too, and stops at its end", async () => {
  const page = await open("toys.html", { clock: true, time: 0 });
  const advance = async (milliseconds) => {
    const start = await probe(page, "time");
    await page.clock.runFor(milliseconds);
    return (await probe(page, "time")) - start;
  };
  assert.equal(await advance(300), 0);
  await page.getByRole("button", { name: "Play" }).click();
  for (const [speed, milliseconds] of [[1, 400], [0.1, 400], [4, 200]]) {
    await page.getByLabel("Speed").selectOption(String(speed));
    const passed = await advance(milliseconds);
    const expected = (speed * milliseconds) / 1000;
    const slack = 0.033 * speed; // two pictures of the screen
    assert.ok(Math.abs(passed - expected) <= slack, `${passed} s instead of ${expected} s at ${speed}×`);
  }
  // The ball moves along x with 0.5 m/s, so its place tells the time that is really drawn.
  const [[x]] = await ask(page, "bodyPositions");
  assert.ok(Math.abs(x - (-0.4 + 0.5 * (await probe(page, "time")))) < 1e-6);
  await advance(1000);
  assert.equal(await probe(page, "playing"), false);
  assert.equal(await probe(page, "row"), toys.rows.length - 1);
  await page.context().close();
});

test("pause stops at a recorded pose", async () => {
  const page = await open("toys.html", { clock: true, time: 0 });
  await page.keyboard.press("Space");
  await page.clock.runFor(333);
  await page.getByRole("button", { name: "Pause" }).click();
  const row = await probe(page, "row");
  assert.ok(row > 0);
  assert.equal(await probe(page, "time"), toys.rows[row].time);
  await page.clock.runFor(500);
  assert.equal(await probe(page, "row"), row);
  await page.context().close();
});

test("a reset of the scene is a jump, not a flight", async () => {
  const page = await open("toys.html", { clock: true, time: 1.496 }); // the capsule is moved at 1.5 s
  await page.getByLabel("Speed").selectOption("0.1");
  const before = await ask(page, "bodyPositions");
  await page.keyboard.press("Space");
  await page.clock.runFor(80);
  const between = await ask(page, "bodyPositions");
  assert.ok(between[0][0] > before[0][0] + 1e-3); // the ball rolls on
  assert.deepEqual(between[2], before[2]);
  await page.context().close();
});

test("the recording starts by itself, unless the reader dislikes motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const page = await open("toys.html", { reducedMotion });
    assert.equal(await probe(page, "playing"), reducedMotion === "no-preference");
    await page.context().close();
  }
});

test("keys do what the list of keys says", async () => {
  const page = await open("toys.html", { clock: true, time: 0 });
  const press = async (key) => {
    await page.keyboard.press(key);
    return [await probe(page, "frame"), await probe(page, "playing"), await probe(page, "speed")];
  };
  assert.deepEqual(await press("ArrowRight"), [1, false, 1]);
  assert.deepEqual(await press("ArrowRight"), [2, false, 1]);
  assert.deepEqual(await press("ArrowLeft"), [1, false, 1]);
  assert.deepEqual(await press("ArrowUp"), [1, false, 2]);
  assert.deepEqual(await press("ArrowDown"), [1, false, 1]);
  assert.deepEqual(await press("End"), [(await probe(page, "frames")) - 1, false, 1]);
  assert.deepEqual(await press("Home"), [0, false, 1]);
  assert.deepEqual(await press("Space"), [0, true, 1]);
  assert.equal((await press("Space"))[1], false);
  await press("Home");
  await press("Shift+ArrowRight");
  assert.ok(Math.abs((await probe(page, "time")) - 0.5) < 0.017); // one frame
  await press("f");
  assert.equal(await page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed"), "true");
  await page.context().close();
});

test("the camera follows a robot that walks away", async () => {
  const page = await open("walker.html", { time: 0 });
  const start = await ask(page, "cameraTarget");
  await page.keyboard.press("End");
  const end = await ask(page, "cameraTarget");
  assert.ok(Math.abs(end[0] - start[0] - 0.5 * 9.999) < 0.05, `camera moved ${end[0] - start[0]} m`);
  await page.getByRole("button", { name: "Follow" }).click();
  await page.keyboard.press("Home");
  assert.deepEqual(await ask(page, "cameraTarget"), end);
  await page.context().close();
});

test("plots show all curves, and a residual of a single step stays in sight", async () => {
  const page = await open("toys.html", { time: 1 });
  const plots = await ask(page, "plots");
  assert.deepEqual(plots.map((plot) => plot.curves.length), [3, 3, 1, 1]);
  for (const curve of plots.flatMap((plot) => plot.curves))
    assert.ok(curve.length > 100 && curve.every(Number.isFinite));
  assert.equal(Math.max(...plots[1].curves[0]), toys.spike);
  assert.match(await page.locator("#verdict").innerText(), /3e-7 ✗ above 1e-10/);
  for (let i = 0; i < 4; ++i) {
    const colors = new Set(await pixels(page, `figure:nth-of-type(${i + 1}) .u-wrap`));
    assert.ok(colors.size > 20, `plot ${i} has ${colors.size} colours`);
  }
  await page.context().close();
});

test("the verdict is the terminal's, in words and in colour", async () => {
  const facts = async (name) => {
    const page = await open(name, { time: 0 });
    const found = await page.locator("#verdict > div").evaluateAll((items) =>
      Object.fromEntries(items.map((item) => {
        const value = item.querySelector("dd");
        return [item.querySelector("dt").innerText, [value.innerText, value.className]];
      })));
    await page.context().close();
    return found;
  };
  const floor = await facts("floor.html");
  assert.deepEqual(floor["verdict"], ["✓ done", "good"]);
  assert.deepEqual(floor["worst residual"], ["3e-7 ✓ 1 step above 1e-10 excused by the rounding of large impulses", "good"]);
  const incomplete = await facts("incomplete.html");
  assert.deepEqual(incomplete["verdict"],
    ['✗ incomplete, 2 pairs without contact code came together, the first "a" and "b<c" at 0.3 s', "bad"]);
  assert.equal((await facts("toys.html"))["verdict"], undefined); // a recording alone does not know
});

test("a click in a plot goes to that time, and the cursor stands in all plots", async () => {
  const page = await open("toys.html", { time: 0 });
  const plot = await page.locator(".u-over").nth(1).boundingBox();
  await page.mouse.click(plot.x + plot.width / 2, plot.y + 10);
  assert.ok(Math.abs((await probe(page, "time")) - 1) < 0.02); // half a frame and two pixels
  assert.match(await page.locator("#plots p").innerText(), /values at (0\.99|1\.00)/);
  const lines = page.locator(".u-cursor-x");
  const cursors = await lines.evaluateAll((elements) => elements.map((line) => line.getBoundingClientRect().x));
  assert.equal(cursors.length, 4);
  for (const x of cursors) assert.ok(Math.abs(x - cursors[0]) < 1 && Math.abs(x - plot.x - plot.width / 2) < 2);
  await page.context().close();
});

test("a narrow window needs no sideways scrolling, and dark is dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("walker.html", { time: 1, viewport: { width: 390, height: 800 }, colorScheme });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    const colors = await pixels(page, "#canvas");
    const light = (color) => ((color >> 16) + ((color >> 8) & 255) + (color & 255)) / 765;
    const brightness = colors.reduce((sum, color) => sum + light(color), 0) / colors.length;
    assert.ok(colorScheme === "dark" ? brightness < 0.35 : brightness > 0.65, `${colorScheme}: ${brightness}`);
    await page.context().close();
  }
});

test("names come through unharmed, and every control has a name", async () => {
  const page = await open("toys.html", { time: 0 });
  assert.equal(await page.locator("h1").innerText(), toys.name);
  const controls = await page.locator("button, input, select, summary").all();
  assert.equal(controls.length, 21);
  for (const control of controls) assert.ok(await control.getAttribute("aria-label"));
  await page.context().close();
});
