import { describe, expect, it } from "vitest";
import type { DataSet } from "../../../../core/field.ts";
import { gridCenter, valueCoordinates, valueDims } from "../../../../core/grid.ts";
import { inverseSpans, inverseSteps } from "../../../../core/inverse-steps.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { checkKernel } from "../../../../kernel/check.ts";
import { bindKernel } from "../../../../kernel/compile-js.ts";
import { reachesOf } from "../../../../kernel/footprint.ts";
import type { KernelProgram } from "../../../../kernel/ir.ts";
import { type InputBlock, wholeGrid, wholeRow } from "../../../../kernel/layout.ts";
import { simplifyKernel } from "../../../../kernel/simplify/simplify.ts";
import { printKernel } from "../../../../kernel/testing/print.ts";
import { compile } from "../../compile.ts";
import { dataSetOf, randomGrid, sampledField } from "../../execute/testing/data-sets.ts";
import { runOnCpu } from "../../execute/testing/evaluate.ts";
import { canFetch } from "../fetching.ts";
import type { Store } from "../kernel.ts";
import { withoutOffsets } from "../kernel-planner.ts";
import { planStages } from "../stages.ts";
import { writeKernel } from "../wgsl/write-kernel.ts";
import { type ComposedStage, composeStage } from "./compose-stage.ts";

const grid = randomGrid([6, 5, 4], 3);
const wave = (a: number, b: number) => (x: number, y: number, z: number) =>
  Math.sin(a * x + b * y) + Math.cos(3 * z + a);
const data = dataSetOf(
  grid,
  sampledField(grid, "u", "node", wave(3, 1)),
  sampledField(grid, "v", "node", wave(2, 5)),
  sampledField(grid, "p", "node", (x, y, z) => x * y + 0.3 * z * z - x),
  sampledField(grid, "velocity", "node", (x, y, z) => [wave(4, 2)(x, y, z), x * z, y - x * x]),
  sampledField(grid, "rho", "cell", wave(1, 2)),
);

/** The stage that a text is, composed; it must be one. */
function composed(text: string, walks = false): ComposedStage {
  const network = compile(text, data.fields);
  const nodes = network.outputs.map(({ node }) => node);
  const { stages } = planStages(network, nodes, (id, temporaries, reader) =>
    canFetch(network, id, temporaries, reader),
  );
  expect(stages.length).toBe(1);
  const stores = stages[0].roots.map((node): Store => {
    const { name } = network.outputs.find((output) => output.node === node)!;
    return { node, type: network.nodes[node].type.value, output: name };
  });
  const layout = (name: string) => withoutOffsets(data.fields.find((field) => field.name === name)!);
  return composeStage(network, stages[0], stores, layout, { walks });
}

const printed = (text: string): string => printKernel(simplifyKernel(composed(text).program));

const tables = {
  coordinate: (coordinates: Float64Array, axis: number) =>
    coordinates.map((at) => at - gridCenter(grid)[axis]),
  inverse_span: inverseSpans,
  inverse_step: inverseSteps,
} as const;

/** Runs a composed kernel by generated JavaScript; returns each output's planes by its name. */
function run({ program, inputs, outputs, centering }: ComposedStage, { fields }: DataSet) {
  const simplified = simplifyKernel(program);
  checkKernel(simplified);
  const blocks: Record<string, InputBlock> = {};
  for (const [name, what] of inputs) {
    if (what.kind === "carried") throw new Error("only a walk carries values");
    if (what.kind === "table") {
      const made = tables[what.table](valueCoordinates(grid, what.centering, what.axis), what.axis);
      blocks[name] = { words: Float32Array.from(made), part: wholeRow(made.length) };
      continue;
    }
    if (what.binding.kind !== "source") throw new Error("a stage alone reads no temporaries");
    const { field } = what.binding;
    const { data: words, components } = fields.find((each) => each.name === field)!;
    blocks[name] = {
      words: words as Float32Array,
      part: wholeGrid(valueDims(grid, what.centering)),
      lead: what.first,
      elementStride: components,
    };
  }
  const dims = valueDims(grid, centering);
  const count = dims[0] * dims[1] * dims[2];
  const arrays = Object.fromEntries([...outputs.keys()].map((name) => [name, new Float32Array(count)]));
  const center = gridCenter(grid);
  bindKernel(simplified)({
    space: wholeGrid(dims),
    inputs: blocks,
    outputs: arrays,
    constants: {
      node_dims: valueDims(grid, "node"),
      cell_dims: valueDims(grid, "cell"),
      flat_x: 0,
      flat_y: 0,
      flat_z: 0,
      center,
      first: [0, 0, 0],
      whole: grid.dims,
      low: center,
      high: center,
      zero: 0,
    },
  })({ space: wholeGrid(dims) });
  return arrays;
}

describe("a composed stage", () => {
  it.each([
    "r = sqrt(u * u + v * v) / (1 + p^2) - min(p, 0.5)",
    "r = magnitude(curl(velocity)); q = q_criterion(velocity)",
    "r = lambda2({u, v, p})",
    "r = magnitude(gradient(u * v + sin(p)))",
    "r = laplacian(p, 2) + laplacian(u)",
    "r = eigenvalue(hessian(p))",
    "r = median_filter(p)",
    "r = recenter(u * v) * rho",
    "r = shift(p, {1, 0, -2}) + if(p > 0, u, v)",
    "r = magnitude(coords() - {0.1, 0.2, 0.3}) + node_id()",
  ])("is a kernel like others, which gives the filters' values: %s", async (text) => {
    const stage = composed(text);
    const planes = run(stage, data);
    const expected = await runOnCpu(text, data);
    for (const [name, { store, component }] of stage.outputs) {
      const values = Array.from(expected[store.output!]);
      const components = values.length / planes[name].length;
      const plane = values.filter((_, i) => i % components === component);
      const largest = Math.max(1, ...plane.map(Math.abs));
      expectArraysClose(planes[name], plane, { absolute: 2e-5 * largest }, `${name} of ${text}`);
    }
  });

  it("declares how far its filters read, through their accessors", () => {
    const reaches = (text: string) =>
      Object.values(reachesOf(composed(text).program, {}))
        .filter((reach) => reach !== undefined)
        .map(({ before, after }) => [before, after]);
    expect(reaches("r = u + 2 * v")).toEqual([
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    ]);
    expect(reaches("r = gradient(u)[0] + gradient(u)[2]")[0]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(reaches("r = laplacian(u, 2)")[0]).toEqual([
      [4, 4, 4],
      [4, 4, 4],
    ]);
    expect(reaches("r = recenter(u)")[0]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });

  it("carries what derivatives read of computed values where a walk asks for it", () => {
    const text = "g = gradient(u * v)";
    expect(composed(text).program.entries).toEqual([]);
    const { program } = composed(text, true);
    expect(program.entries?.length).toBe(1);
    checkKernel(simplifyKernel(program));
    const reads = (kernel: KernelProgram) => printKernel(simplifyKernel(kernel)).match(/u 0 1\(/g)?.length;
    // Of the six neighbours those above and below come with the walk.
    expect(reads(composed(text).program)).toBe(6);
    expect(reads(program)).toBe(4);
  });
});

describe("simplification across filters", () => {
  it("folds a constant through several filters, and leaves out what it makes needless", () => {
    const text = "r = p * ({u, 2, v}[1] * 4 - 7)";
    expect(printed(text)).toBe(printed("r = p"));
    expect(writeKernel(composed(text)).bindings.map(({ kind }) => kind)).toEqual(["source", "store"]);
    expect(printed("r = min(p, 1)")).not.toContain("isNan(1");
  });

  it("computes once what several filters compute", () => {
    const loads = (text: string) => (printed(text).match(/anywhere\(/g) ?? []).length;
    // Eight corners of each of three fields, though u is read by both.
    expect(loads("r = recenter(u * v); s = recenter(u * p)")).toBe(3 * 8);
    const rises = (text: string) => (printed(text).match(/u 0 1\(1i, 0i, 0i\)/g) ?? []).length;
    expect(rises("g = gradient(u); l = gradient(u + v)")).toBe(1);
  });

  it("takes parts of vectors and tensors without making them", () => {
    const text = printed("r = curl({u, v, p})[2]");
    expect(text).not.toMatch(/mat3x3/);
    expect(printed("r = {u, v, p}[0] + {v, u, p}[1]")).toBe(printed("r = u + u"));
  });

  it("keeps expressions shallow enough for shader compilers, however long a chain is", () => {
    let text = "p";
    for (let k = 0; k < 150; k++) text = `(${text} * u + ${k}.5)`;
    const { code } = writeKernel(composed(`r = ${text}`));
    const deepest = [...code].reduce(
      ([depth, most], letter) => {
        const now = depth + (letter === "(" ? 1 : letter === ")" ? -1 : 0);
        return [now, Math.max(most, now)];
      },
      [0, 0],
    )[1];
    expect(deepest).toBeLessThan(30);
  });
});
