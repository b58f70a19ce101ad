// `npm run sweep -- [filter] [--step N] [--most N]`: builds the sweep of the primitives into dist/bench and runs it in Node.
// `npm run sweep -- expressions [--count N] [--seed N]`: the same for random texts of the expression language.
// `npm run sweep -- mpi [--launch 'mpirun -n %n'] [--ranks N,N]`: the same for the communicator over the MPI that is installed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildBench, out } from "./bench-build.mjs";
import { findBrowser, hasHardwareGpu, softwareVulkan } from "./browser.mjs";

try {
  await buildBench();
  const args = process.argv.slice(2);
  const own = ["expressions", "mpi"].find((name) => name === args[0]);
  const software = own || hasHardwareGpu() ? {} : softwareVulkan((await findBrowser()).executablePath);
  const env = { ...process.env, ...software };
  const program = own ? [`${own}.js`, ...args.slice(1)] : ["sweep.js", ...args];
  const { status } = spawnSync(process.execPath, [join(out, program[0]), ...program.slice(1)], {
    stdio: "inherit",
    env,
  });
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
