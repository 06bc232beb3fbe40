// Pages of the folder PAGES, opened in a browser without network; what tests ask them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser } from "../../viewer/browser.mjs";

export const folder = process.env.PAGES;
const kRelative = 1e-5; // poses and forces are stored as float32: 6e-8, and a few operations more in the browser

let browser;
before(async () => { browser = await openBrowser(); });
after(async () => { await browser.close(); });

// Opens a page at a time (standing still) or playing under a clock that the test moves. `settings`: more of its address.
export async function open(name, { time, clock = false, settings = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 960, height: 540 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on("console", (message) => page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.route(/^https?:/, (route) => route.abort());
  if (clock) {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
  }
  page.address = pathToFileURL(join(folder, name)).href + (time === undefined ? "" : `#t=${time}${settings}`);
  await page.goto(page.address);
  return page;
}

export const probe = (page, key) => page.evaluate((name) => window.rigor[name], key);
export const ask = (page, key) => page.evaluate((name) => window.rigor[name](), key);
export const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export async function scrubTo(page, frame) {
  await page.getByLabel("Time", { exact: true }).evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, frame);
}

// Colours of the picture inside an element, as rgb numbers, decoded by the browser itself. No button is touched meanwhile.
export async function pixels(page, selector) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
  await drawn(page);
  const picture = (await page.locator(selector).screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    const color = (i) => (bytes[4 * i] << 16) | (bytes[4 * i + 1] << 8) | bytes[4 * i + 2];
    return Array.from({ length: bytes.length / 4 }, (_, i) => color(i));
  }, picture);
}

export function near(actual, expected, scale, what) {
  assert.ok(Math.abs(actual - expected) <= kRelative * scale, `${what}: ${actual} instead of ${expected}`);
}

