import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ensureBuilt } from "../../tools/build.mjs";
import { type DataSet, makeField } from "../core/field.ts";
import { type Triple, valueCount } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import { compile } from "../lang/expression/compile.ts";
import { evaluateOnCpu } from "../lang/expression/execute/cpu/evaluate.ts";
import type { CpuTeam } from "../lang/expression/execute/cpu/team.ts";
import type { CpuWorkers } from "../lang/expression/execute/cpu/workers.ts";
import { randomGrid, randomNumbers } from "../lang/expression/execute/testing/data-sets.ts";
import { nodeWorkers } from "./cpu-workers.ts";

const built = pathToFileURL(resolve("dist/node/cpu-worker.js"));
const teams: CpuTeam[] = [];

function team(size: number, program = built): CpuTeam {
  const made = nodeWorkers(size, program);
  teams.push(made);
  return made;
}

/** Asks for help with the least work, and waits until some came before this thread takes a part itself. */
function eager(workers: CpuTeam): CpuWorkers & { readonly helped: () => number } {
  let helped = 0;
  return {
    size: workers.size,
    pays: () => true,
    help(task, board) {
      const help = workers.help(task, board);
      for (let ms = 0; ms < 20_000 && Atomics.load(board, 1) === 0; ms++) Atomics.wait(board, 1, 0, 1);
      helped += Atomics.load(board, 1);
      return help;
    },
    helped: () => helped,
  };
}

function randomDataSet(dims: Triple): DataSet {
  const grid = randomGrid(dims, 5);
  const random = randomNumbers(9);
  const field = (name: string, centering: "node" | "cell", components: number) => {
    const length = valueCount(grid, centering) * components;
    return makeField(
      grid,
      name,
      centering,
      components,
      Float32Array.from({ length }, () => 2 * random() - 1),
    );
  };
  const counts = Int16Array.from({ length: valueCount(grid, "node") }, (_, i) => i % 77);
  const fields = [field("p", "node", 1), field("v", "node", 3), field("c", "cell", 1)];
  return { name: "random", grid, fields: [...fields, makeField(grid, "n", "node", 1, counts)], notes: [] };
}

const texts = {
  "a stencil of fields": "q = q_criterion(v); w = curl(v)",
  "a stencil of a stencil": "a = laplacian(magnitude(curl(v))) + n",
  "stencils that reach far": "a = gaussian(p, 1.5) - mean_filter(n, 5); b = median_filter(p)",
  "reductions inside": "a = gradient(p - avg(p)) / maximum(abs(p)); b = p / stddev(gradient(p)[0])",
  recentring: "a = gradient(recenter(recenter(p) * c)) + coords(); b = c + recenter(p)",
};
const grids: readonly Triple[] = [
  [41, 23, 12],
  [3000, 2, 1],
  [1, 1, 5000],
  [1, 90, 61],
];

describe("the CPU's workers", () => {
  beforeAll(() => ensureBuilt("node", console.info));
  afterAll(() => {
    for (const each of teams) each.end();
  });

  it.each([1, 2, 6])("give what one thread gives, bit by bit: %i helpers", async (size) => {
    const workers = eager(team(size));
    for (const dims of grids) {
      const dataSet = randomDataSet(dims);
      for (const [what, text] of Object.entries(texts)) {
        const network = compile(text, dataSet.fields);
        const names = network.outputs.map(({ name }) => name);
        const expected = await evaluateOnCpu(network, dataSet, names, noJob);
        const got = await evaluateOnCpu(network, dataSet, names, noJob, workers);
        expect([expected.threads, got.threads]).toEqual([1, size + 1]);
        for (const name of names) {
          const [a, b] = [got, expected].map(
            ({ fields }) => new Uint8Array(fields.get(name)?.data.buffer as ArrayBuffer),
          );
          expect(Buffer.compare(a, b), `${name} of ${what} on ${dims}`).toBe(0);
        }
      }
    }
    expect(workers.helped()).toBeGreaterThan(size);
  });

  it("reads fields in shared memory where they are", async () => {
    const dataSet = randomDataSet([41, 23, 12]);
    const network = compile("g = gradient(p)", dataSet.fields);
    const expected = await evaluateOnCpu(network, dataSet, ["g"], noJob);
    const [p] = dataSet.fields;
    const shared = new Float32Array(new SharedArrayBuffer(p.data.byteLength));
    shared.set(p.data as Float32Array);
    const tasks: unknown[] = [];
    const workers: CpuWorkers = {
      size: 1,
      pays: () => true,
      help(task) {
        tasks.push(...task.steps.map((step) => ("array" in step ? step.array.values : undefined)));
        return { finished: async () => {} };
      },
    };
    const given = { ...dataSet, fields: [{ ...p, data: shared }] };
    const got = await evaluateOnCpu(network, given, ["g"], noJob, workers);
    expect(tasks).toContain(shared);
    expect(got.fields.get("g")?.data).toEqual(expected.fields.get("g")?.data);
    expect(got.fields.get("g")?.data.buffer).toBeInstanceOf(ArrayBuffer);
  });

  it("stop where the job is cancelled, and are there for the next", async () => {
    const dataSet = randomDataSet([100, 100, 30]);
    const network = compile("m = median_filter(median_filter(p, 7), 7)", dataSet.fields);
    const workers = team(2);
    const controller = new AbortController();
    const fractions: number[] = [];
    const job = {
      signal: controller.signal,
      progress: (fraction: number) => {
        fractions.push(fraction);
        controller.abort();
      },
    };
    await expect(evaluateOnCpu(network, dataSet, ["m"], job, workers)).rejects.toMatchObject({
      tag: "Cancelled",
    });
    expect(fractions.length).toBe(1);
    const small = randomDataSet([41, 23, 12]);
    const next = compile("g = laplacian(p)", small.fields);
    const got = await evaluateOnCpu(next, small, ["g"], noJob, eager(workers));
    const expected = await evaluateOnCpu(next, small, ["g"], noJob);
    expect(got.fields).toEqual(expected.fields);
  });

  it("serve several computations at once", async () => {
    const dataSet = randomDataSet([41, 23, 12]);
    const workers = team(2);
    const both: CpuWorkers = { size: 2, pays: () => true, help: (task, board) => workers.help(task, board) };
    const each = Object.values(texts).map(async (text) => {
      const network = compile(text, dataSet.fields);
      const names = network.outputs.map(({ name }) => name);
      const [got, expected] = await Promise.all(
        [both, undefined].map((who) => evaluateOnCpu(network, dataSet, names, noJob, who)),
      );
      expect(got.fields).toEqual(expected.fields);
    });
    await Promise.all(each);
  });

  const program = (body: string) =>
    new URL(
      `data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ id, board }) => { ${body} });`,
    );
  const takesOne = "Atomics.add(board, 0, 1); Atomics.notify(board, 0);";

  it.each([
    ["dies", `${takesOne} process.exit(3);`, "it ended with code 3"],
    ["throws", `${takesOne} throw new Error("no such thing");`, "no such thing"],
    [
      "gives up",
      `${takesOne} parentPort.postMessage({ id, failure: "too little memory" });`,
      "too little memory",
    ],
  ])("say so where one %s with a part in its hands", async (_, body, reason) => {
    const dataSet = randomDataSet([41, 23, 12]);
    const network = compile("g = gradient(p)", dataSet.fields);
    const workers = team(2, program(body));
    const patient: CpuWorkers = {
      size: 2,
      pays: () => true,
      help(task, board) {
        const help = workers.help(task, board);
        Atomics.wait(board, 0, 0, 5000);
        return help;
      },
    };
    await expect(evaluateOnCpu(network, dataSet, ["g"], noJob, patient)).rejects.toMatchObject({
      tag: "Internal",
      problem: expect.stringContaining(reason),
    });
  });

  it("are done without where they cannot be started", async () => {
    const dataSet = randomDataSet([41, 23, 12]);
    const network = compile("g = gradient(p)", dataSet.fields);
    const workers = team(2, new URL("file:///no/such/program.js"));
    const got = await evaluateOnCpu(network, dataSet, ["g"], noJob, {
      size: 2,
      pays: () => true,
      help: (task, board) => workers.help(task, board),
    });
    const expected = await evaluateOnCpu(network, dataSet, ["g"], noJob);
    expect(got.fields).toEqual(expected.fields);
    await vi.waitUntil(() => workers.size === 0, { timeout: 60_000 });
    expect(workers.problem).toMatch(/could not be started: .*no\/such\/program/);
    expect(workers.pays({ workNs: 1e12, values: 1, stages: 1 })).toBe(false);
  });

  it("are left alone with little work", () => {
    const workers = team(7);
    const ms = 1e6;
    expect(workers.pays({ workNs: 0.1 * ms, values: 1000, stages: 1 })).toBe(false);
    expect(workers.pays({ workNs: 100 * ms, values: 1e6, stages: 3 })).toBe(true);
    // Copying would take longer.
    expect(workers.pays({ workNs: 2 * ms, values: 1e7, stages: 1 })).toBe(false);
  });
});
