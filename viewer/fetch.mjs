// Fetches what the bundle is made of into node_modules, by package-lock.json, without npm: Debian's npm brings hundreds of
// packages and takes longer than everything else. What only tests need (types, a browser driver) is npm's business.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const registry = (process.env.npm_config_registry ?? "https://registry.npmjs.org/").replace(/\/*$/, "/");
const needed = ["three", "uplot", "esbuild", `@esbuild/${process.platform}-${process.arch}`];

const lock = JSON.parse(await readFile(join(here, "package-lock.json"), "utf8"));
for (const name of needed) {
  const entry = lock.packages[`node_modules/${name}`];
  if (!entry) throw new Error(`package-lock.json does not name ${name}: no bundle on this kind of machine`);
  const address = `${registry}${name}/-/${name.replace(/^.*\//, "")}-${entry.version}.tgz`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  const archive = Buffer.from(await answer.arrayBuffer());
  const [algorithm, expected] = entry.integrity.split(/-(.*)/s);
  if (createHash(algorithm).update(archive).digest("base64") !== expected)
    throw new Error(`${address}: not the file that package-lock.json means`);
  const folder = join(here, "node_modules", name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  execFileSync("tar", ["-xz", "--strip-components=1", "-C", folder], { input: archive });
}
// Beside the file by which npm knows that its work is done: this one says that the bundle can be built, no more.
await writeFile(join(here, "node_modules", ".for-the-bundle"), "");
