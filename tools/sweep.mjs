// `npm run sweep -- [filter] [--step N] [--most N]`: builds the sweep of the primitives into dist/bench and runs it in Node.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildBench, out } from "./bench-build.mjs";
import { findBrowser, hasHardwareGpu, softwareVulkan } from "./browser.mjs";

try {
  await buildBench();
  const software = hasHardwareGpu() ? {} : softwareVulkan((await findBrowser()).executablePath);
  const env = { ...process.env, ...software };
  const { status } = spawnSync(process.execPath, [join(out, "sweep.js"), ...process.argv.slice(2)], {
    stdio: "inherit",
    env,
  });
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
