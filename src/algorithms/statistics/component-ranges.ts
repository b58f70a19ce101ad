import { all } from "../../core/primitives/access.ts";
import { max, min } from "../../core/primitives/operators.ts";
import { defineReduction } from "../../core/primitives/reduction.ts";
import type { ComponentRange, FieldValues } from "../../core/statistics.ts";
import { finiteRange } from "./statistics.ts";

const range = defineReduction({
  name: "range of a component",
  inputs: { values: { type: "f32", access: all } },
  constants: { element_stride: { type: "u32" }, first: { type: "u32" } },
  terms: { least: { type: "f32", operator: min }, greatest: { type: "f32", operator: max } },
  text: `
    let x = values(element * constants.element_stride + constants.first);
    if (isFinite(x)) {
      out.least = x;
      out.greatest = x;
    }`,
});

/** The finite range of each component of a field, in one pass for each; NaN where a component has no finite value. */
export async function componentRanges({
  primitives,
  values,
  count,
  components,
  elementStride,
  componentStride,
  offsets,
}: FieldValues): Promise<readonly ComponentRange[]> {
  const ranges: ComponentRange[] = [];
  for (let c = 0; c < components; c++) {
    const constants = { element_stride: elementStride, first: c * componentStride };
    const { least, greatest } = await primitives.reduceEach(count, range, { inputs: { values }, constants });
    ranges.push(finiteRange([least + offsets[c], greatest + offsets[c]]));
  }
  return ranges;
}
