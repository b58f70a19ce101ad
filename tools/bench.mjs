// `npm run bench -- [filter] [--json] [--n N] [--quick] [--unsafe] [--node|--chromium]`: builds the bench into dist/bench and runs
// it there, in Chromium unless --node is given; `npm run bench -- derived [--help]` runs seed
// 001's evaluation in Node, `npm run bench -- cluster [--quick] [--out FOLDER] [--only links|collectives]` measures ranks,
// `npm run bench -- drag [--size N]` a drag of an isovalue that ranks follow,
// `npm run bench -- living [--size NxN] [--sweeps N]` a lattice that runs in the page,
// `npm run bench -- cpu` the CPU beside a plain interpreter, `npm run bench -- growth ROWS FOLDER` draws times by sizes,
// `npm run bench -- ranks [--ranks 1,2]` measures algorithms over ranks, `npm run bench -- ranks-figures` draws them, and
// `npm run bench -- layouts-figures` those of layouts. What is built runs elsewhere without Vite: see docs/performance.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildBench, out } from "./bench-build.mjs";
import { findBrowser, hasHardwareGpu, softwareVulkan } from "./browser.mjs";
import { ensureBuilt } from "./build.mjs";

const args = process.argv.slice(2);
// The seed's evaluation of derived fields, the transports' bench and the CPU's are programs of their own; “derived/” filters cases.
const programs = [
  "derived",
  "cluster",
  "cpu",
  "drag",
  "growth",
  "layouts-figures",
  "living",
  "ranks",
  "ranks-figures",
];
const own = programs.find((name) => name === args[0]);
const inNode = own !== undefined || args.includes("--node");
const passed = args.slice(own ? 1 : 0).filter((arg) => arg !== "--node" && arg !== "--chromium");
const buildOnly = passed.includes("--build");

try {
  await buildBench();
  if (own === "drag" || own === "living")
    for (const target of /** @type {const} */ (["web", "node"])) await ensureBuilt(target, console.error);
  if (!buildOnly) {
    const browser = await findBrowser();
    const vulkan = inNode && !hasHardwareGpu() ? softwareVulkan(browser.executablePath) : {};
    const chromium = { CHROMIUM: browser.executablePath, CHROMIUM_FLAGS: browser.flags.join(" ") };
    const env = { ...process.env, ...vulkan, ...chromium };
    const program = join(out, own ? `${own}.js` : inNode ? "node.js" : "chromium.js");
    const { status } = spawnSync(process.execPath, [program, ...passed], { stdio: "inherit", env });
    process.exitCode = status ?? 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
