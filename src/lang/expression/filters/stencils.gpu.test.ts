import { describe, it } from "vitest";
import { type Field, makeField } from "../../../core/field.ts";
import type { Centering, Triple } from "../../../core/grid.ts";
import { valueCount } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { testGpu } from "../../../gpu/testing/context.ts";
import { evaluateOnCpu } from "../execute/cpu/evaluate.ts";
import { evaluateOnGpu } from "../execute/gpu/evaluate.ts";
import { dataSetOf, randomGrid, randomNumbers } from "../execute/testing/data-sets.ts";
import { GpuDataSet, readInterleaved } from "../execute/testing/evaluate.ts";
import { createNetworkBuilder } from "../network/graph.ts";
import { componentsOf } from "../types.ts";
import { elementLoop } from "./element-loops.ts";
import type { Filter } from "./filter.ts";
import { allFilters, findFilter } from "./registry.ts";

const ulp = 2 ** -23;

/** Every stencil, and some of those that parameters choose. */
const stencils = [
  ...allFilters.map(({ name }) => name),
  ...[
    "laplacian:2",
    "median_filter:5",
    "median_filter:7",
    "mean_filter_along_x:5",
    "mean_filter_along_z:7",
    "gaussian_along_y:0.5",
    "gaussian_along_z:1.3",
  ],
]
  .map((name) => findFilter(name) as Filter)
  .filter((filter) => filter.kind === "stencil");

const meshes = allFilters.filter(({ kind }) => kind === "mesh");

const grids: readonly Triple[] = [
  [7, 6, 5],
  [5, 1, 6],
  [1, 9, 2],
];

const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Values from -1 to 1, each component by itself; with `odd`, some that are not finite. */
function randomField(dims: Triple, centering: Centering, components: number, odd: boolean) {
  const grid = randomGrid(dims, 61);
  const random = randomNumbers(dims[0] + components);
  const data = Float32Array.from({ length: valueCount(grid, centering) * components }, () =>
    odd && random() < 0.03 ? special[Math.floor(3 * random())] : 2 * random() - 1,
  );
  const field: Field = makeField(grid, "f", centering, components, data);
  return dataSetOf(grid, field);
}

async function expectTwins(
  name: string,
  dims: Triple,
  centering: Centering,
  components: number,
  odd: boolean,
) {
  const gpu = await testGpu();
  const dataSet = randomField(dims, centering, components, odd);
  const builder = createNetworkBuilder(elementLoop);
  const isMesh = findFilter(name)?.kind === "mesh";
  const source = isMesh ? [] : [builder.source({ name: "f", components, centering })];
  builder.output("result", isMesh ? builder.mesh(name, centering) : builder.apply(name, source));
  const network = builder.build();
  const inputs = new GpuDataSet(gpu, dataSet);
  const got = await evaluateOnGpu(gpu, network, inputs, ["result"], noJob);
  const expected = await evaluateOnCpu(network, dataSet, ["result"], noJob);
  const field = got.fields.get("result")!;
  const values = await readInterleaved(gpu, field);
  field.buffer.release();
  await inputs.release();
  const twin = expected.fields.get("result")!.data as Float32Array;
  // Sums of up to 33 rounded terms, each no larger than the results themselves may be.
  const largest = Math.max(1, ...Array.from(twin).filter(Number.isFinite).map(Math.abs));
  const what = `${name} of ${components}, ${dims}, ${centering}${odd ? ", odd" : ""}`;
  expectArraysClose(values, twin, { absolute: 33 * ulp * largest }, what);
}

describe("every stencil computes on the GPU what its twin computes in f64", () => {
  for (const { name, overloads } of stencils) {
    for (const { inputs } of overloads) {
      it(`${name}(${inputs.join()})`, async () => {
        for (const dims of grids) {
          for (const odd of [false, true]) {
            await expectTwins(name, dims, odd ? "node" : "cell", componentsOf(inputs[0]), odd);
          }
        }
      });
    }
  }
});

describe("every value of the grid is on the GPU what its twin makes in f64", () => {
  for (const { name } of meshes) {
    it(name, async () => {
      for (const dims of grids) {
        for (const centering of ["node", "cell"] as const) await expectTwins(name, dims, centering, 1, false);
      }
    });
  }
});
