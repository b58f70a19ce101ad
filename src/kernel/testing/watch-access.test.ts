import { expect, it } from "vitest";
import { wholeRow } from "../layout.ts";
import { parseKernel } from "../text/parse.ts";
import { i32 } from "../types.ts";
import { gridKernel } from "./grid-kernel.ts";
import { gridCall, randomFrom } from "./random-call.ts";
import { watchAccess } from "./watch-access.ts";

const runs = (stride: number, text: string) =>
  parseKernel({
    name: "means",
    inputs: {
      values: {
        scalar: "f32",
        access: {
          kind: "footprint",
          footprint: { before: [0, 0, 0], after: [({ reach }) => Number(reach), 0, 0] },
          stride,
        },
      },
    },
    outputs: { mean: { scalar: "f32" } },
    constants: { reach: i32 },
    text,
  });

const callOf = (reach: number) => ({
  space: wholeRow(4),
  inputs: { values: { words: new Float32Array(12), part: wholeRow(12) } },
  outputs: { mean: new Float32Array(4) },
  constants: { reach },
});

it("accepts reads within the footprint, counted from the element's own run", () => {
  const kernel = runs(3, "out.mean = values(3 * element) + values(3 * element + 2);");
  expect(watchAccess(kernel, callOf(2))).toEqual({ loads: 8, violations: [] });
});

it("names kernel, input, position and element of reads beyond it", () => {
  const kernel = runs(3, "out.mean = values(3 * element) + values(3 * element + 2);");
  expect(watchAccess(kernel, callOf(1)).violations.slice(1, 2)).toEqual([
    "means reads values at 5, beyond its footprint around 3, for element 1.",
  ]);
});

it("watches reads in grids, where positions beyond the border count as on it", () => {
  const kernel = gridKernel("out.result = wide(i32(at.x) + 2, i32(at.y) - 1, i32(at.z));");
  const call = gridCall(randomFrom(1), [4, 3, 2]);
  expect(watchAccess(kernel, call).violations).toEqual([]);
  const far = gridKernel("out.result = wide(i32(at.x), i32(at.y), i32(at.z) + 1);");
  // All but the last layer, whose reads are moved back to it.
  expect(watchAccess(far, call).violations.length).toBe(12);
});
