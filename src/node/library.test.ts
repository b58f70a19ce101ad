import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasHardwareGpu } from "../../tools/browser.mjs";
import { ensureBuilt } from "../../tools/build.mjs";
import { filesBelow } from "../../tools/files.mjs";
import { noJob } from "../core/job.ts";
import { writeVti } from "../data/write/vtk-xml.ts";
import { examplesIn } from "../embed/testing/examples.ts";
import { nodeField } from "./testing/cli-data.ts";
import { gpuEnvironment } from "./testing/run-crinkle.ts";

const examples = new Map(
  [
    ...["communicator", "distributed", "embedding", "formats", "kd-tree", "lattices", "networks"],
    ...["primitives", "ranks-in-programs"],
  ].flatMap((page) =>
    // Others are parts of the sources.
    [...examplesIn(readFileSync(`docs/${page}.md`, "utf8"))].filter(([name]) => !name.includes("/")),
  ),
);
const gpu = await gpuEnvironment();
/** What programs import beside the package itself. */
const entries = ["cluster", "data", "primitives", "ranks", "trees"];
let folder: string;

/** The package as others get it: packed, and installed in an empty folder without what is optional and without a network. */
beforeAll(async () => {
  await ensureBuilt("lib", console.info);
  await ensureBuilt("node", console.info);
  folder = mkdtempSync(join(tmpdir(), "crinkle-package-"));
  const packed = execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const [{ filename }] = JSON.parse(packed) as { filename: string }[];
  writeFileSync(join(folder, "package.json"), "{}");
  const install = ["install", "--offline", "--omit=optional", "--no-audit", "--no-fund", `./${filename}`];
  execFileSync("npm", install, { cwd: folder, stdio: "ignore" });
  for (const [name, text] of examples) writeFileSync(join(folder, name), text);
  const grid = { kind: "uniform", dims: [9, 8, 7], origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
  const velocity = nodeField(grid, "velocity", 3, ([x, y, z]) => [-y, x, z]);
  const chunks = await writeVti({ name: "flow", grid, fields: [velocity], notes: [] }, noJob);
  writeFileSync(join(folder, "flow.vti"), Buffer.concat(chunks));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(name: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
    timeout: 50_000,
  });
  expect(stderr).not.toMatch(/Error|at file:/);
  expect(status).toBe(0);
  return { lines: stdout.trim().split("\n"), stderr };
}

const derived = (device: string) => [
  `[ 1, 0, 0 ] [ 0, 0, 1, 1 ] ${device}`,
  expect.stringMatching(/^UnknownName: .*“temprature”.*Did you mean temperature/),
];
const stepped = [0.3, 0.6, 0.9].map((time) => `t = ${time}: radius ${time.toFixed(2)}, 0 arrays back`);

describe("the package, installed", () => {
  it("computes and contours on the CPU where the package webgpu is missing", () => {
    const { lines, stderr } = run("derive.mjs");
    expect(lines).toEqual(derived("cpu"));
    expect(stderr).toMatch(/for want of a GPU: .*the package webgpu is not installed/);
    expect(run("loop.mjs").lines).toEqual(stepped);
    expect(run("network.mjs").lines).toEqual(["4.743 cpu 14"]);
    expect(run("layouts.mjs").lines).toEqual([
      "out[y, x] = in[2·(y mod 2) + ⌊y / 2⌋, (x − 1) mod 6]",
      "5 0 1 2 3 4 17 true cpu",
      "18 0",
    ]);
    expect(run("sample.mjs").lines).toEqual(["11 1,0"]);
    expect(run("models.mjs").lines).toEqual(["true 500 1024 1"]);
  });

  it("gives each of its parts by a name of its own", () => {
    expect(run("primitives.mjs").lines).toEqual(["1 2 3 → 1 3 6"]);
    expect(run("trees.mjs").lines).toEqual([
      "nearest: 0 and 2, 1 away",
      "within 5 of (3, 3): 1 2 0",
      "densest: 0",
    ]);
    expect(run("data.mjs").lines).toEqual(["9 × 8 × 7 nodes, 3 components: 0 0 2"]);
    expect(run("cluster.mjs").lines).toEqual(["3 on 2 ranks"]);
  });

  it("computes and contours on the GPU where it is there", () => {
    symlinkSync(resolve("node_modules/webgpu"), join(folder, "node_modules/webgpu"));
    const onGpu = (name: string, options: string) => {
      const [before, after] = examples.get(name)?.split(options) ?? [];
      writeFileSync(join(folder, `gpu-${name}`), `${before}{ device: "gpu", ${options.slice(1)}${after}`);
      return run(`gpu-${name}`, gpu).lines;
    };
    expect(onGpu("derive.mjs", "{ onEvent }")).toEqual(derived("gpu"));
    expect(onGpu("loop.mjs", "{ surface: {")).toEqual(stepped);
    expect(run("own-device.mjs", gpu).lines).toEqual(["500500 0 4000"]);
  });

  it("takes a GPU by itself, and the CPU where only software stands in for one", () => {
    const { lines, stderr } = run("derive.mjs", gpu);
    expect(lines).toEqual(derived(hasHardwareGpu() ? "gpu" : "cpu"));
    expect(stderr).toBe("");
  });

  it("shares long work among the cores, and lets the program end", () => {
    writeFileSync(
      join(folder, "threads.mjs"),
      `import { derive } from "crinkle";
const n = 96;
const f = Float32Array.from({ length: n ** 3 }, (_, i) => i % 97);
const data = { grid: { dims: [n, n, n] }, fields: { f } };
const { fields, report } = await derive("gaussian(laplacian(f), 2)", data, { device: "cpu" });
console.log(report.threads, fields.result.data.length === n ** 3);
`,
    );
    expect(run("threads.mjs").lines).toEqual([`${Math.min(availableParallelism(), 32)} true`]);
  });

  it("computes on several ranks, which end with the program", () => {
    writeFileSync(join(folder, "stars.csv"), "x,y\n0,0\n3,4\n0,1\n9,4\n");
    expect(run("neighbors.mjs").lines).toEqual(["near 0: 2 and 1; at most 9.5 away"]);
    expect(run("ranks.mjs").lines).toEqual([
      "w: 2 … 2 on 3 ranks: 0 to 1, 2 to 3, 4 to 5",
      "mean: 3",
      "82 triangles, 63 vertices",
    ]);
    expect(run("sorting.mjs").lines).toEqual([
      "0 1 3 6 10 15 21 28 36 45 55 66 on 3 ranks, at most 4 on one",
    ]);
  });

  it("runs a model on several ranks", () => {
    expect(run("lattice-ranks.mjs").lines).toEqual(["true 960", "0.33 0.33 0.33"]);
  });

  it("brings types that stand alone", () => {
    writeFileSync(
      join(folder, "typed.mts"),
      `import { CrinkleError, derive, type HostField, prepare } from "crinkle";
import { joinRoom, type ProgramRoom, reductions } from "crinkle/cluster";
import { type GridData, readData, writeMesh } from "crinkle/data";
import { createGpuPrimitives, operators as ours, type Vector } from "crinkle/primitives";
import { createDistributedPrimitives, joinRanks, openRanks, operators, type Ranks } from "crinkle/ranks";
import { buildKdTree, type KdTree, nearestPoints } from "crinkle/trees";
export async function largest(values: Float32Array<ArrayBuffer>): Promise<number> {
  const { world, local } = await joinRanks();
  const p = createDistributedPrimitives(world, local);
  return p.reduce(await p.fromParts("f32", values), operators.max);
}
export const ranks: Promise<Ranks> = openRanks({ count: 2 });
export const total = async (device: GPUDevice, vector: Vector<"f32">): Promise<number> =>
  (await createGpuPrimitives(device)).reduce(vector, ours.add);
export const near = (tree: KdTree): Uint32Array => nearestPoints(tree, [0, 0, 0], 3).ids;
export const tree: Promise<KdTree> = buildKdTree(new Float32Array(6));
export async function read(bytes: Uint8Array): Promise<GridData | undefined> {
  const data = await readData(bytes, { signal: new AbortController().signal });
  return data.kind === "grid" ? data : undefined;
}
// @ts-expect-error: no such format
export const drawn = writeMesh({} as never, "dwg");
export async function sum(link: string): Promise<number> {
  const room: ProgramRoom = await joinRoom(link);
  return (await room.world(2)).allreduce(1, reductions.add as never);
}
// @ts-expect-error: no such device
export const onTape = openRanks({ device: "tape" });
const grid = { dims: [2, 2, 2] };
const host = await derive("f", { grid, fields: { f: new Float32Array(8) } }, { strategy: "fusion" });
export const field: HostField = host.fields.result;
export async function onDevice(device: GPUDevice, buffer: GPUBuffer): Promise<GPUBuffer> {
  const loop = await prepare("f", { grid, fields: { f: { buffer } } }, { device });
  return (await loop.run()).fields.result.buffer;
}
// @ts-expect-error: GPU buffers need their device
export const without = (buffer: GPUBuffer) => derive("f", { grid, fields: { f: { buffer } } });
// @ts-expect-error: no such strategy
export const misspelt = () => derive("f", { grid, fields: {} }, { strategy: "fused" });
export const isOurs = (error: unknown) => error instanceof CrinkleError && error.tag === "TooLarge";
`,
    );
    // In a page; and in a program that knows neither TypeScript's types of browsers nor Node's.
    writeFileSync(
      join(folder, "bare.mts"),
      ["crinkle", ...entries.map((name) => `crinkle/${name}`)]
        .map((name, i) => `export * as entry${i} from "${name}";`)
        .join("\n"),
    );
    for (const [file, lib] of [
      ["typed.mts", "es2023,dom"],
      ["bare.mts", "es2023"],
    ]) {
      const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", ""];
      const compiler = resolve("node_modules/typescript/bin/tsc");
      const args = [compiler, ...options, "--lib", lib, file];
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
      expect(stdout).toBe("");
      expect(status).toBe(0);
    }
  });

  it("is one package, no larger than it has to be, with its documentation and others' licences", () => {
    const modules = join(folder, "node_modules");
    expect(readdirSync(modules).filter((name) => !name.startsWith(".") && name !== "webgpu")).toEqual([
      "crinkle",
    ]);
    const root = join(modules, "crinkle");
    const paths = filesBelow(root);
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeLessThan(8_900_000);
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(20);
    for (const link of links)
      if (!/^https?:/.test(link)) expect(existsSync(join(root, link)), link).toBe(true);
    for (const link of ["dist/THIRD-PARTY-NOTICES.txt", "dist/web.br"])
      if (existsSync(resolve(link))) expect(existsSync(join(root, link)), link).toBe(true);
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      exports: Record<string, string | Record<string, string>>;
    };
    for (const entry of Object.values(exports)) {
      for (const path of typeof entry === "string" ? [entry] : Object.values(entry)) {
        expect(existsSync(join(root, path)), path).toBe(true);
      }
    }
  });

  it("exports what it did, with the same signatures, to Node and to browsers", async () => {
    const types = join(folder, "node_modules/crinkle/dist/types");
    const paths = filesBelow(types).sort();
    const text = paths
      .map((path) => `// ${path.slice(types.length + 1)}\n${readFileSync(path, "utf8")}`)
      .join("\n");
    await expect(text).toMatchFileSnapshot("../embed/testing/exports.snapshot.txt");
    const specifiers = ["crinkle", ...entries.map((name) => `crinkle/${name}`)];
    const list = `for (const name of ${JSON.stringify(specifiers)}) {
      console.log(name, Object.keys(await import(name)).sort().join(" "));
    }`;
    const listed = (script: string) =>
      execFileSync(process.execPath, ["--input-type=module", "-e", script], {
        cwd: folder,
        encoding: "utf8",
      });
    const inNode = listed(list);
    expect(inNode).toContain(
      "crinkle CrinkleError createNetwork derive hypercube lattice prepare releaseDevice sample\n",
    );
    await expect(inNode).toMatchFileSnapshot("../embed/testing/names.snapshot.txt");
    for (const name of ["crinkle", ...entries.filter((entry) => entry !== "ranks")]) {
      const script = `console.log(Object.keys(await import("./node_modules/crinkle/dist/lib/${name}.js")).sort().join(" "))`;
      expect(inNode).toContain(`${name === "crinkle" ? name : `crinkle/${name}`} ${listed(script)}`);
    }
  });
});
