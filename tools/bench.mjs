// `npm run bench -- [filter] [--json] [--n N] [--quick] [--unsafe] [--node|--chromium]`: builds the bench into dist/bench and runs
// it there, in Chromium unless --node is given. What is built runs elsewhere without Vite: see docs/performance.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "vite";
import { findBrowser, hasHardwareGpu, softwareVulkan } from "./browser.mjs";
import { root } from "./build.mjs";

const out = join(root, "dist/bench");

async function buildBench() {
  await build({
    configFile: false,
    root: join(root, "bench/web"),
    base: "./",
    logLevel: "warn",
    build: { outDir: join(out, "web"), emptyOutDir: true, target: "esnext", chunkSizeWarningLimit: 2000 },
  });
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, external: ["webgpu", "playwright-core"] },
    build: {
      ssr: true,
      target: "node20",
      outDir: out,
      emptyOutDir: false,
      rolldownOptions: { input: { node: "bench/node.ts", chromium: "bench/chromium.ts" } },
    },
  });
}

const args = process.argv.slice(2);
const inNode = args.includes("--node");
const passed = args.filter((arg) => arg !== "--node" && arg !== "--chromium");
const buildOnly = passed.includes("--build");

try {
  await buildBench();
  if (!buildOnly) {
    const browser = await findBrowser();
    const env = inNode
      ? { ...process.env, ...(hasHardwareGpu() ? {} : softwareVulkan(browser.executablePath)) }
      : { ...process.env, CHROMIUM: browser.executablePath, CHROMIUM_FLAGS: browser.flags.join(" ") };
    const program = join(out, inNode ? "node.js" : "chromium.js");
    const { status } = spawnSync(process.execPath, [program, ...passed], { stdio: "inherit", env });
    process.exitCode = status ?? 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
