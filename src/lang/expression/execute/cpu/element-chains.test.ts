import { afterEach, describe, expect, it, vi } from "vitest";
import { noJob } from "../../../../core/job.ts";
import { compile } from "../../compile.ts";
import type { ElementFilter } from "../../filters/filter.ts";
import { findFilter } from "../../filters/registry.ts";
import { componentsOf } from "../../types.ts";
import { dataSetOf, randomGrid, sampledField } from "../testing/data-sets.ts";
import { type Chain, chainLoop, chainsOf } from "./element-chains.ts";
import type { StageTask, Step } from "./task.ts";

const grid = randomGrid([5, 4, 3], 1);
const read = (components: number): Step => ({
  kind: "read",
  components,
  array: { centering: "node", values: new Float64Array(0), components, stride: components, offset: 0 },
});
const constant = (...values: number[]): Step => ({ kind: "constant", components: values.length, values });

function element(name: string, inputs: readonly string[], ...args: number[]): Step {
  const filter = findFilter(name) as ElementFilter;
  const overload = filter.overloads.findIndex((known) => known.inputs.join() === inputs.join());
  return {
    kind: "element",
    components: componentsOf(filter.overloads[overload].output),
    filter: name,
    overload,
    args,
  };
}

const scalars = ["scalar", "scalar"];
const chains = (steps: readonly Step[], ...outputs: number[]): Chain[] => {
  const task: StageTask = {
    grid,
    centering: "node",
    steps,
    outputs: outputs.map((step) => ({ step, values: new Float64Array(0) })),
  };
  return [...chainsOf(task).values()].sort((a, b) => a.steps[0] - b.steps[0]);
};

describe("chains of element filters", () => {
  // u, v, u * u, v * v, u * u + v * v, its root
  const length = [
    read(1),
    read(1),
    element("multiply", scalars, 0, 0),
    element("multiply", scalars, 1, 1),
    element("add", scalars, 2, 3),
    element("sqrt", ["scalar"], 4),
  ];

  it("hold what feeds one step alone, and read what other steps compute", () => {
    expect(chains(length, 5)).toEqual([{ steps: [2, 3, 4, 5], inputs: [0, 1] }]);
  });

  it("end at outputs, and at values that several of them need", () => {
    expect(chains(length, 4, 5)).toEqual([
      { steps: [2, 3, 4], inputs: [0, 1] },
      { steps: [5], inputs: [4] },
    ]);
    const shared = [...length, element("exp", ["scalar"], 4)];
    expect(chains(shared, 5, 6).map(({ steps }) => steps)).toEqual([[2, 3, 4], [5], [6]]);
  });

  it("leave loops of JavaScript alone", () => {
    const steps = [
      read(1),
      element("exp", ["scalar"], 0),
      element("log10", ["scalar"], 1),
      element("abs", ["scalar"], 2),
    ];
    expect(chains(steps, 3).map(({ steps }) => steps)).toEqual([[1], [2], [3]]);
  });

  it("know their constants, but for those that have no literals", () => {
    const steps = (value: number) => [
      read(1),
      constant(value),
      element("multiply", scalars, 0, 1),
      element("add", scalars, 2, 1),
    ];
    const [chain] = chains(steps(-0), 3);
    expect(chain.inputs).toEqual([0]);
    const out = new Float64Array(2);
    chainLoop(steps(-0), chain)([Float64Array.of(3, -3)], out, 2);
    expect([...out]).toEqual([-0, 0]);
    chainLoop(steps(0), chain)([Float64Array.of(3, -3)], out, 2);
    expect([...out]).toEqual([0, 0]);
    expect(chains(steps(Number.NaN), 3)[0].inputs).toEqual([0, 1]);
  });

  it("are compiled once for the same steps, whatever their numbers are", () => {
    const later = [read(3), ...length].map((step) =>
      step.kind === "element" ? { ...step, args: step.args.map((arg) => arg + 1) } : step,
    );
    const loop = chainLoop(length, chains(length, 5)[0]);
    expect(chainLoop(later, chains(later, 6)[0])).toBe(loop);
  });

  it("are no longer than engines optimize", () => {
    const steps = [read(1), ...Array.from({ length: 100 }, (_, k) => element("exp", ["scalar"], k))];
    const found = chains(steps, 100);
    expect(found.flatMap((chain) => chain.steps)).toEqual(Array.from({ length: 100 }, (_, k) => k + 1));
    expect(Math.max(...found.map((chain) => chain.steps.length))).toBe(32);
  });
});

describe("where the page forbids generated code", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it("the CPU computes the same", async () => {
    const dataSet = dataSetOf(
      grid,
      sampledField(grid, "u", "node", (x, y) => x - y),
      sampledField(grid, "w", "node", (x, _, z) => x + z),
    );
    const network = compile(
      "a = sqrt(u * u + w * w) * sin(w); b = if(u > 0, w ^ 3, log10(w)); c = eigenvalue(gradient({u, w, a}))",
      dataSet.fields,
    );
    const outputs = ["a", "b", "c"];
    const compute = async () => {
      vi.resetModules();
      const { evaluateOnCpu } = await import("./evaluate.ts");
      const { fields } = await evaluateOnCpu(network, dataSet, outputs, noJob);
      return outputs.map((name) => fields.get(name)?.data);
    };
    const expected = await compute();
    let refusals = 0;
    vi.stubGlobal(
      "Function",
      class {
        constructor() {
          refusals++;
          throw new EvalError("Refused by the page's policy");
        }
      },
    );
    expect(await compute()).toEqual(expected);
    expect(refusals).toBe(1);
  });
});
