// Starts a Chromium without a display, for tests and pictures. Needs Node 20.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const kNames = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

export function findBrowser() {
  for (const name of kNames)
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // not here
      }
    }
  return null;
}

// WebGL is computed by the processor; a machine for tests has no graphics card.
export function openBrowser() {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(`no browser found; install one of ${kNames.join(", ")}`);
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}
