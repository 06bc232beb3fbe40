// Bundles src/ into one HTML file, build/viewer/page.html. savePage puts the recording into its slot.
import { build } from "esbuild";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "build", "viewer", "page.html");

async function bundle(entry, options = {}) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    charset: "utf8",
    legalComments: "inline", // the licences of three and uPlot ask to stay with their code
    ...options,
  });
  return result.outputFiles[0].text;
}

// A function as replacement: in a plain string `$&` and its kin in minified code would be taken for patterns.
function fill(text, slot, content) {
  if (text.split(slot).length !== 2) throw new Error(`page.html must hold ${slot} exactly once`);
  return text.replace(slot, () => content);
}

const script = await bundle("src/main.ts", { format: "iife" });
const style = await bundle("src/style.css");
let page = await readFile(join(here, "src", "page.html"), "utf8");
page = fill(page, "/*STYLE*/", style);
page = fill(page, "/*SCRIPT*/", script.replaceAll("</script", "<\\/script"));
if (page.split("@RIGOR_RECORDING@").length !== 2) throw new Error("page.html must hold @RIGOR_RECORDING@ exactly once");

await mkdir(dirname(out), { recursive: true });
await writeFile(`${out}.${process.pid}`, page);
await rename(`${out}.${process.pid}`, out); // whoever reads it meanwhile gets a whole file
console.log(`build/viewer/page.html: ${(page.length / 1024).toFixed(0)} kB`);
