// Picking a body, the camera, and what the address of the page remembers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, drawn, folder, near, open, probe, scrubTo } from "./opened_page.mjs";

const toys = JSON.parse(readFileSync(join(folder, "toys.json"), "utf8"));

const facts = (page) =>
  page.locator("#body_facts > div").evaluateAll((items) =>
    Object.fromEntries(items.map((item) => [...item.children].map((child) => child.textContent))));

async function clickBody(page, body) {
  const { x, y } = (await ask(page, "bodyPlaces"))[body];
  await page.mouse.click(x, y);
}

test("a click on a body shows its name and its numbers at the time shown; Escape hides them", async () => {
  const page = await open("toys.html", { time: 1 });
  const panel = page.locator("#inspector");
  assert.equal(await panel.isVisible(), false);
  const color = (parts) => parts.find((part) => part.name === "box shape").color;
  const before = color(await ask(page, "parts"));
  await clickBody(page, 1);
  assert.equal(await panel.locator("h2").innerText(), "box");
  assert.notEqual(color(await ask(page, "parts")), before);
  for (const frame of [61, 100]) {
    await scrubTo(page, frame);
    const row = toys.rows[await probe(page, "row")];
    const shown = await facts(page);
    assert.equal(shown.mass, "3 kg");
    shown["position x y z"].split(/\s+/).slice(0, 3).forEach((text, k) =>
      assert.ok(Math.abs(Number(text) - row.poses[1][k]) <= 5.1e-4)); // three digits behind the point
    const pressing = row.contacts.filter(({ body_2 }) => body_2 === 1).map(({ impulse }) => impulse[2] / toys.dt);
    const rows = await page.locator("#body_contacts tr").evaluateAll((items) =>
      items.slice(1).map((item) => [...item.children].map((cell) => cell.textContent)));
    assert.deepEqual(rows.map(([other]) => other), ["world", "world"]);
    pressing.sort((a, b) => b - a).forEach((force, i) => // four digits
      assert.ok(Math.abs(Number(rows[i][1]) - force) <= 1e-3 * force, `${rows[i][1]} N, not ${force} N`));
    assert.match(shown.contacts, /^2, normal /);
  }
  await page.keyboard.press("Escape");
  assert.equal(await panel.isVisible(), false);
  assert.equal(color(await ask(page, "parts")), before);
  await page.context().close();
});

test("a click on the ground picks nothing, a drag turns the camera and keeps what is picked", async () => {
  const page = await open("toys.html", { time: 1 });
  await clickBody(page, 0);
  const title = page.locator("#inspector h2");
  assert.equal(await title.innerText(), 'ball </script> "quoted"');
  const camera = await ask(page, "cameraPosition");
  const { x, y } = (await ask(page, "bodyPlaces"))[1];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 10, { steps: 4 });
  await page.mouse.up();
  assert.notDeepEqual(await ask(page, "cameraPosition"), camera);
  assert.equal(await title.innerText(), 'ball </script> "quoted"');
  const canvas = await page.locator("#canvas").boundingBox();
  const corner = { x: canvas.x + 12, y: canvas.y + canvas.height - 60 };
  assert.equal(await page.evaluate(({ x, y }) => window.rigor.bodyAt(x, y), corner), -1);
  await page.mouse.click(corner.x, corner.y);
  assert.equal(await page.locator("#inspector").isVisible(), false);
  await page.context().close();
});

test("speed and spin are those of the recording", async () => {
  const page = await open("stray.html", { time: 1 });
  await page.getByLabel("Find a body").fill("stray");
  const shown = await facts(page);
  assert.equal(shown.speed, "40.31 m/s"); // 40 along x, 5 along z
  assert.equal(shown.spin, "5 rad/s"); // 3 and 4
  await page.context().close();
  const arm = await open("arm.html", { time: 0.5, settings: "&body=link 1" });
  const time = await probe(arm, "time");
  // Its frame, where its centre of mass is, hangs 0.35 m below the first joint, which turns with 0.3 cos 3t.
  near(parseFloat((await facts(arm)).speed), 0.105 * Math.abs(Math.cos(3 * time)), 1, "speed");
  await arm.context().close();
});

test("the camera follows the picked body when asked to", async () => {
  const page = await open("toys.html", { time: 0.5 });
  await clickBody(page, 0);
  await page.keyboard.press("f");
  for (const frame of [10, 90]) {
    await scrubTo(page, frame);
    const target = await ask(page, "cameraTarget");
    const [ball] = await ask(page, "bodyPositions");
    for (let k = 0; k < 3; ++k) near(target[k], ball[k], 1, `target ${k}`);
  }
  await page.context().close();
});

test("what moves is in the picture all the time, and one that flies away does not shrink the rest", async () => {
  for (const [name, watched] of [["stray.html", [0, 1, 2, 3, 4]], ["toys.html", [0, 1, 2, 3, 4]], ["heap.html", [0, 999]]]) {
    const page = await open(name, { time: 0 });
    const box = await page.locator("#canvas").boundingBox();
    const seen = [];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      await scrubTo(page, Math.round(share * ((await probe(page, "frames")) - 1)));
      const places = await ask(page, "bodyPlaces");
      seen.push(...watched.map((body) => places[body]));
    }
    for (const { x, y } of seen)
      assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, `${name}: ${x} ${y}`);
    const width = Math.max(...seen.map(({ x }) => x)) - Math.min(...seen.map(({ x }) => x));
    assert.ok(width > 0.3 * box.width, `${name}: ${width} of ${box.width} px`);
    await page.context().close();
  }
});

test("the camera looks from the sides that its buttons and keys name, and returns", async () => {
  const page = await open("shapes.html", { time: 0, viewport: { width: 480, height: 500 } });
  const first = await ask(page, "cameraPosition");
  const direction = async () => {
    const [camera, target] = [await ask(page, "cameraPosition"), await ask(page, "cameraTarget")];
    const d = camera.map((x, k) => x - target[k]);
    return d.map((x) => x / Math.hypot(...d));
  };
  for (const [name, key, axis, sign] of [["Front", "2", 0, 1], ["Side", "3", 1, -1], ["Top", "4", 2, 1]]) {
    for (const go of [() => page.getByRole("button", { name, exact: true }).click(), () => page.keyboard.press(key)]) {
      await page.keyboard.press("1");
      assert.ok((await direction())[axis] * sign < 0.9);
      await go();
      assert.ok((await direction())[axis] * sign > 0.99, name);
    }
  }
  await page.keyboard.press("r");
  const last = await ask(page, "cameraPosition");
  for (let k = 0; k < 3; ++k) near(last[k], first[k], 10, "camera");
  await page.context().close();
});

test("what was chosen is there again after a reload", async () => {
  const page = await open("arm.html", { time: 1.5 });
  await page.keyboard.press("x");
  await page.keyboard.press("2");
  await page.getByLabel("Find a body").fill("link 2");
  await page.getByText("Signals", { exact: true }).click();
  await page.getByLabel("Joint torque: link 1 joint").check();
  await page.getByLabel("Run: Iterations").uncheck();
  const state = async () => ({
    layers: await ask(page, "layers"),
    titles: (await ask(page, "plots")).map(({ title }) => title),
    body: await page.locator("#inspector h2").innerText(),
    frame: await probe(page, "frame"),
    camera: (await ask(page, "cameraPosition")).map((x) => x.toFixed(2)),
  });
  const before = await state();
  assert.deepEqual(before.titles, ["Energy [J]", "Residual", "Penetration [pm]", "Joint torque [N m]"]);
  assert.equal(before.body, "link 2");
  await page.waitForFunction(() => window.location.hash.includes("torque")); // written a moment later
  await page.reload();
  await drawn(page);
  assert.deepEqual(await state(), before);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("an address that asks for what there is not does no harm", async () => {
  const settings = "&show=visual,nonsense&body=nobody&plot=energy,torque:none,%25,%&camera=1,2&follow=maybe";
  const page = await open("arm.html", { time: 1, settings });
  await drawn(page);
  assert.deepEqual(await ask(page, "layers"), ["visual"]);
  assert.deepEqual((await ask(page, "plots")).map(({ title }) => title), ["Energy [J]"]);
  assert.equal(await page.locator("#inspector").isVisible(), false);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a finger picks a body on a telephone, and nothing sticks out of the screen", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await open("toys.html", { time: 1, ...phone });
  const { x, y } = (await ask(page, "bodyPlaces"))[1];
  await page.touchscreen.tap(x, y);
  assert.equal(await page.locator("#inspector h2").innerText(), "box");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  for (const button of await page.locator("#tools button, #tools input").all()) {
    const box = await button.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390);
  }
  await page.context().close();
});
