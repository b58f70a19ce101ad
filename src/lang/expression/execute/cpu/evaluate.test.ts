import { describe, expect, it, vi } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { noJob } from "../../../../core/job.ts";
import { compile } from "../../compile.ts";
import { dataSetOf, sampledField, uniformGrid } from "../testing/data-sets.ts";
import { runOnCpu } from "../testing/evaluate.ts";
import { evaluateOnCpu } from "./evaluate.ts";

const grid = uniformGrid([40, 40, 40]);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "p", "node", (x, y, z) => x * y + z),
);
const network = compile("s = sin(p) * cos(p) + tanh(p); g = laplacian(s)", dataSet.fields);

describe("evaluateOnCpu", () => {
  it("reports rising progress and lets other events run", async () => {
    const fractions: number[] = [];
    let ticks = 0;
    const ticker = setInterval(() => ticks++, 0);
    await evaluateOnCpu(network, dataSet, ["g"], {
      signal: noJob.signal,
      progress: (fraction) => fractions.push(fraction),
    });
    clearInterval(ticker);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(Math.max(...fractions, 0)).toBeLessThanOrEqual(1);
    expect(ticks).toBeGreaterThanOrEqual(fractions.length);
  });

  it("takes texts of thousands of statements that build on each other", async () => {
    const small = uniformGrid([2, 2, 2]);
    const ones = dataSetOf(
      small,
      sampledField(small, "p", "node", () => 1),
    );
    const steps = Array.from({ length: 5000 }, (_, i) => `a${i + 1} = 2 + a${i} - p`);
    const { a5000 } = await runOnCpu(["a0 = p", ...steps].join("\n"), ones, ["a5000"]);
    expect([...(a5000 as Float32Array)]).toEqual(new Array(8).fill(5001));
  });

  it("stops where the job was cancelled before, or meanwhile", async () => {
    const controller = new AbortController();
    controller.abort();
    const job = { signal: controller.signal, progress: () => {} };
    await expect(evaluateOnCpu(network, dataSet, ["g"], job)).rejects.toMatchObject({ tag: "Cancelled" });
    const large = uniformGrid([100, 100, 60]);
    const slow = dataSetOf(large, makeField(large, "p", "node", 1, new Float32Array(600_000)));
    const later = new AbortController();
    const fractions: number[] = [];
    const stopped = evaluateOnCpu(network, slow, ["g"], {
      signal: later.signal,
      progress: (fraction) => {
        fractions.push(fraction);
        later.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ tag: "Cancelled" });
    expect(fractions.length).toBeGreaterThan(0);
    expect(fractions.at(-1)).toBeLessThan(1);
  });

  it("reads every stored type, 64-bit integers and single components among them", async () => {
    const small = uniformGrid([3, 1, 1]);
    const got = await runOnCpu(
      "s = i + u; c = six[4]; g = gradient(i)[0]",
      dataSetOf(
        small,
        makeField(small, "i", "node", 1, BigInt64Array.of(-1n, 2n, 5n)),
        makeField(small, "u", "node", 1, Uint8Array.of(1, 2, 255)),
        makeField(
          small,
          "six",
          "node",
          6,
          Int16Array.from({ length: 18 }, (_, k) => k),
        ),
      ),
    );
    expect([...(got.s as Float32Array)]).toEqual([0, 4, 260]);
    expect([...(got.c as Float32Array)]).toEqual([4, 10, 16]);
    expect([...(got.g as Float32Array)]).toEqual([6, 6, 6]);
  });

  it("says why one thread computed what took long, but not for little work", async () => {
    const problem = "There is but one.";
    const none = { size: 0, problem, pays: () => false, help: () => ({ finished: async () => {} }) };
    const cube = uniformGrid([36, 36, 36]);
    const flow = dataSetOf(
      cube,
      sampledField(cube, "v", "node", (x, y, z) => [y * z, x * z, x * x]),
    );
    const sum = Array.from({ length: 20 }, (_, k) => `q_criterion(v / ${k + 2})`).join(" + ");
    const long = compile(`s = ${sum}`, flow.fields);
    const evaluated = await evaluateOnCpu(long, flow, ["s"], noJob, none);
    expect(evaluated.notes).toEqual(["One thread of the CPU computed. There is but one."]);
    expect((await evaluateOnCpu(long, flow, ["s"], noJob)).notes).toEqual([]);
    const short = compile("s = magnitude(v)", flow.fields);
    expect((await evaluateOnCpu(short, flow, ["s"], noJob, none)).notes).toEqual([]);
  });

  it("does without shared memory where there is none left", async () => {
    const eager = { size: 1, pays: () => true, help: () => ({ finished: async () => {} }) };
    let asked = 0;
    class Refusing {
      constructor() {
        asked++;
        throw new RangeError("Array buffer allocation failed");
      }
    }
    vi.stubGlobal("SharedArrayBuffer", Refusing);
    const got = await evaluateOnCpu(network, dataSet, ["g"], noJob, eager).finally(vi.unstubAllGlobals);
    expect(asked).toBe(1);
    expect(got).toEqual(await evaluateOnCpu(network, dataSet, ["g"], noJob));
  });

  it("names the outputs there are where one is asked for that is not", async () => {
    await expect(evaluateOnCpu(network, dataSet, ["q"], noJob)).rejects.toThrow("“s”, “g”");
  });
});
