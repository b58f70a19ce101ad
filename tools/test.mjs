// `npm test`: every check, one after the other; `node tools/test.mjs unit gpu` runs some. A failed step does not stop
// the others. The last line sums up: tests that ran, and one for each step.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { findBrowser, hasHardwareGpu } from "./browser.mjs";
import { root } from "./build.mjs";
import { mpiLaunchers, withoutMpi } from "./mpi-launchers.mjs";
import { playwrightCounts, vitestCounts } from "./test-counts.mjs";

/**
 * @typedef {import("./test-counts.mjs").Counts} Counts
 * @typedef {object} Step
 * @property {readonly (readonly string[])[]} commands run in order until one fails; a program of node_modules/.bin first
 * @property {(report: string) => Counts} [counts] reads the report that the command wrote
 * @property {boolean} [browser] whether it drives one
 */

const reports = join(root, "test-results");
const reportOf = (/** @type {string} */ name) => join(reports, `${name}.json`);

/** @param {string} project @returns {readonly string[]} */
const vitest = (project) => [
  "vitest",
  "run",
  "--project",
  `${project}*`,
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${reportOf(project)}`,
];

/** @param {number} workers @param {readonly string[]} projects @returns {readonly string[]} */
const playwright = (workers, ...projects) => [
  "playwright",
  "test",
  `--workers=${workers}`,
  ...projects.map((project) => `--project=${project}`),
];

/** Figures are judged on a GPU alone, and measured there while nothing else runs; a software adapter only has to do the work. */
const [drawn, judged] = hasHardwareGpu() ? [[], ["perf"]] : [["perf"], []];

/** @type {Readonly<Record<string, Step>>} */
const steps = {
  types: { commands: [["tsc", "--noEmit", "-p", "."]] },
  lint: { commands: [["biome", "ci", ...(process.stdout.isTTY ? [] : ["--colors=off"]), "."]] },
  imports: { commands: [["node", "tools/check-imports.mjs"]] },
  unit: { commands: [vitest("unit")], counts: vitestCounts, browser: true },
  gpu: { commands: [vitest("gpu")], counts: vitestCounts, browser: true },
  build: { commands: [["node", "tools/build.mjs"]] },
  e2e: { commands: [playwright(2, "pages", "ranks", ...drawn)], counts: playwrightCounts, browser: true },
  clocks: { commands: [playwright(1, "rooms", ...judged)], counts: playwrightCounts, browser: true },
};

/** A step that takes longer hangs. */
const stepLimitMs = 20 * 60_000;

/** @param {readonly string[]} command @param {string} report @returns {Promise<boolean>} whether it ended with 0 */
function succeeds([program, ...args], report) {
  const path = program === "node" ? process.execPath : join(root, "node_modules/.bin", program);
  return new Promise((resolve) => {
    const child = spawn(path, args, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      shell: platform() === "win32",
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    });
    const limit = setTimeout(() => {
      console.error(`${program} was stopped after ${stepLimitMs / 60_000} minutes.`);
      child.kill("SIGKILL");
    }, stepLimitMs);
    child.on("error", (error) => {
      console.error(`${program} cannot be run: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => {
      clearTimeout(limit);
      resolve(code === 0);
    });
  });
}

/** @param {string} name @returns {Promise<{ passed: boolean, counts: Counts, seconds: number }>} */
async function runStep(name) {
  const { commands, counts } = steps[name];
  const start = performance.now();
  rmSync(reportOf(name), { force: true });
  let passed = true;
  for (const command of commands) passed &&= await succeeds(command, reportOf(name));
  const report = existsSync(reportOf(name)) ? readFileSync(reportOf(name), "utf8") : undefined;
  const none = { passed: 0, failed: 0, skipped: 0 };
  const counted = counts && report ? counts(report) : none;
  if (counts && !report) passed = false;
  return { passed, counts: counted, seconds: (performance.now() - start) / 1000 };
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in steps));
if (unknown !== undefined) {
  console.error(`There is no step “${unknown}”; the steps are ${Object.keys(steps).join(", ")}.`);
  process.exit(2);
}
const names = wanted.length > 0 ? wanted : Object.keys(steps);
mkdirSync(reports, { recursive: true });

if (names.some((name) => steps[name].browser)) {
  try {
    console.log((await findBrowser()).found);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.log(`0 passed, ${names.length} failed`);
    process.exit(1);
  }
  if (!existsSync(join(root, "../shared/data"))) {
    console.log("left out: tests on real data sets, because ../shared/data is not beside this project");
  }
}

if (names.some((name) => ["unit", "e2e"].includes(name)) && mpiLaunchers().length === 0)
  console.log(withoutMpi);

const lines = [];
let passed = 0;
let failed = 0;
for (const name of names) {
  console.log(`\n── ${name} ──`);
  const result = await runStep(name);
  const { counts } = result;
  passed += counts.passed + (result.passed ? 1 : 0);
  failed += counts.failed + (result.passed ? 0 : 1);
  const tests = steps[name].counts
    ? `, ${counts.passed} tests passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} left out` : ""}`
    : "";
  lines.push(
    `${name.padEnd(8)}${result.passed ? "passed" : "FAILED"} in ${result.seconds.toFixed(1)} s${tests}`,
  );
}
console.log(`\n${lines.join("\n")}\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
