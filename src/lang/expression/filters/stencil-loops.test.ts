import { describe, expect, it } from "vitest";
import type { Triple } from "../../../core/grid.ts";
import { inverseSpans, inverseSteps } from "../../../core/inverse-steps.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { randomNumbers } from "../execute/testing/data-sets.ts";
import { foldStencil } from "../network/folding.ts";
import { componentsOf } from "../types.ts";
import type { AxisTables, Neighborhood, StencilFilter, StencilOverload } from "./filter.ts";
import { boxesOf } from "./neighborhood.ts";
import { allFilters, findFilter } from "./registry.ts";
import { stencilLoop } from "./stencil-loops.ts";

const isStencil = (filter: ReturnType<typeof findFilter>): filter is StencilFilter =>
  filter?.kind === "stencil";

const stencils = [...allFilters, findFilter("laplacian:2"), findFilter("median_filter:5")].filter(isStencil);

/** Components of an input amid others, at unevenly spaced coordinates. */
function neighborhood(
  dims: Triple,
  components: number,
  value: (i: number, random: number) => number,
): Neighborhood {
  const random = randomNumbers(7);
  const [stride, offset] = [components + 1, 1];
  const along = (axis: number) => Float64Array.from({ length: dims[axis] }, (_, i) => i + 0.3 * i * i);
  const tables = (make: (x: Float64Array) => Float64Array): AxisTables => [
    make(along(0)),
    make(along(1)),
    make(along(2)),
  ];
  const values = Float64Array.from({ length: dims[0] * dims[1] * dims[2] * stride }, (_, i) =>
    value((i - offset + stride) % stride, random()),
  );
  return {
    dims,
    values,
    components,
    stride,
    offset,
    inverseSpans: tables(inverseSpans),
    inverseSteps: tables(inverseSteps),
  };
}

const inputComponents = ({ inputs }: StencilOverload) => componentsOf(inputs[0]);

describe.each(stencils)("the loop of $name", (filter) => {
  const { overloads } = filter;

  it("gives the same bits interpreted, generated, in one run and in many", () => {
    const dims: Triple = [4, 3, 3];
    for (const overload of overloads) {
      const width = componentsOf(overload.output);
      const input = neighborhood(dims, inputComponents(overload), (_, random) => random);
      const [whole, interpreted, part] = [36, 36, 5].map((count) => new Float64Array(count * width));
      stencilLoop(overload, input, whole)(0, 36);
      stencilLoop(overload, input, interpreted, { generates: false })(0, 36);
      expect(interpreted).toEqual(whole);
      const run = stencilLoop(overload, input, part);
      for (let first = 0; first + 5 <= 36; first += 3) {
        run(first, 5);
        expect(part).toEqual(whole.subarray(first * width, (first + 5) * width));
      }
    }
  });

  it("makes of a constant what the network takes for it", () => {
    for (const overload of overloads) {
      const constant = Array.from({ length: inputComponents(overload) }, (_, c) => c - 1.5);
      const input = neighborhood([3, 1, 2], constant.length, (c) => constant[c] ?? Number.NaN);
      const out = new Float64Array(6 * componentsOf(overload.output));
      stencilLoop(overload, input, out)(0, 6);
      const type = { value: overload.inputs[0], placement: "constant" } as const;
      const folded = foldStencil(filter, overload, { kind: "constant", type, values: constant });
      expectArraysClose(out, new Array(6).fill(folded).flat(), { absolute: 1e-15, relative: 1e-15 });
    }
  });
});

it("ranges are at most five boxes, which fill them in order", () => {
  const [nx, ny, nz] = [3, 2, 4];
  for (let first = 0; first < nx * ny * nz; first++) {
    for (let count = 0; first + count <= nx * ny * nz; count++) {
      const boxes = [...boxesOf([nx, ny, nz], first, count)];
      const elements = boxes.flatMap(({ origin: [x, y, z], extents: [ex, ey, ez], to }) => {
        const own: number[] = [];
        for (let k = z; k < z + ez; k++)
          for (let j = y; j < y + ey; j++) for (let i = x; i < x + ex; i++) own.push(i + nx * (j + ny * k));
        expect(own[0]).toBe(first + to);
        return own;
      });
      expect(boxes.length).toBeLessThanOrEqual(5);
      expect(elements).toEqual(Array.from({ length: count }, (_, i) => first + i));
    }
  }
});
