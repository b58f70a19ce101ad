import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "./testing/cli-data.ts";
import { spawnCrinkle } from "./testing/run-crinkle.ts";

const folder = new TestFolder();
let coverage: string;

beforeAll(async () => {
  coverage = await mkdtemp(join(tmpdir(), "crinkle-start-"));
});
afterAll(() => rm(coverage, { recursive: true }));

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

/** Runs a command as a program, and adds up the files of the built program that V8 has compiled for it. */
async function start(args: readonly string[]) {
  const into = await mkdtemp(join(coverage, "run-"));
  const finished = await spawnCrinkle(args, { NODE_V8_COVERAGE: into });
  const [report] = await readdir(into);
  const { result } = JSON.parse(await readFile(join(into, report), "utf8")) as Coverage;
  const paths = result.map(({ url }) => url).filter((url) => url.includes("/dist/node/"));
  const sizes = await Promise.all(paths.map(async (url) => (await stat(fileURLToPath(url))).size));
  return { ...finished, kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1000 };
}

// What a command loads decides how long it takes to start: about a millisecond for each ten kilobytes.
describe("a command loads what it needs", () => {
  const ball = () => folder.ball;
  const out = (name: string) => ["--out", folder.file(name)];
  const cpu = ["--device", "cpu"];
  it.each<[name: string, code: number, atMost: number, args: () => readonly string[]]>([
    ["info", 0, 105, () => [ball()]],
    ["eval", 0, 495, () => [ball(), "2 * distance", ...cpu]],
    ["transform", 0, 835, () => [ball(), "flip(x)", ...cpu, ...out("flipped.vti")]],
    ["simulate", 0, 765, () => ["ising", "--size", "8x8", "--sweeps", "10", ...cpu]],
    ["run", 0, 995, () => [ball(), "2 * distance", "--ranks", "1", ...cpu]],
    ["neighbors", 1, 950, () => [ball(), "--k", "1", ...cpu]],
    ["isosurface", 0, 570, () => [ball(), "--field", "distance", "--value", "1", ...cpu]],
    ["cut", 0, 635, () => [ball(), "--plane", "0,0,0,0,0,1", ...cpu]],
    ["slice", 0, 635, () => [ball(), "--axis", "x", "--position", "0", ...cpu]],
    ["threshold", 0, 635, () => [ball(), "--field", "distance", "--range", "0,1", ...cpu]],
    ["clip", 0, 655, () => [ball(), "--plane", "0,0,0,0,0,1", ...cpu]],
    ["probe", 0, 120, () => [ball(), "--at", "0,0,0"]],
    ["line", 0, 120, () => [ball(), "--from", "0,0,0", "--to", "1,1,1"]],
    ["render", 1, 635, () => ["gone.json", ...out("a.png")]],
    ["serve", 2, 50, () => ["--port", "99999"]],
    ["rank", 1, 600, () => ["no-link", ...cpu]],
    ["room", 2, 600, () => ["--listen", "nowhere:99999", ...cpu]],
  ])("%s ends with %d, and has loaded at most %d kB", async (name, code, atMost, args) => {
    const finished = await start([name, ...args()]);
    expect(finished.code, finished.err).toBe(code);
    if (code === 0) expect(JSON.parse(finished.out)).toBeInstanceOf(Object);
    else expect(finished.err).not.toContain("    at ");
    expect(finished.kilobytes).toBeGreaterThan(0);
    expect(finished.kilobytes).toBeLessThan(atMost);
  });
});
