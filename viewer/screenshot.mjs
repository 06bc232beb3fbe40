// node screenshot.mjs PAGE OUT.png [TIME]: a picture of a page at a time of its recording [s], 0 by default.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const [page_file, picture, time = "0"] = process.argv.slice(2);
if (!picture || !(Number(time) >= 0)) {
  console.error("usage: node screenshot.mjs PAGE OUT.png [TIME]");
  process.exit(2);
}
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 810 } });
  await page.goto(`${pathToFileURL(resolve(page_file))}#t=${Number(time)}`);
  await page.waitForFunction(() => window.rigor);
  // Two pictures of the screen: the first asks for the drawing, the second shows it.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
}
