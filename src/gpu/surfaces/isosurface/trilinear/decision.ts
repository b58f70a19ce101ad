import type { Fragment } from "../../../shader/fragment.ts";
import { blockLayout } from "../../blocks/block-layout.ts";
import { fieldValues } from "../../field-values.ts";
import { parameters } from "../parameters.ts";
import { decisionCode } from "./decision-code.ts";

/** Which patch an ambiguous cell has, of `cases: array<u32>` (`ambiguousCellTable`). */
export const decision: Fragment = {
  name: "decision",
  requires: [parameters, fieldValues, blockLayout],
  code: /* wgsl */ `
fn case_word(i: u32) -> u32 {
  return cases[i];
}
${decisionCode}
/** Of the cell with that lower corner; the bits of its corners above the isovalue. */
fn load_corners(cell: vec3u, isovalue: vec2f) -> u32 {
  var above = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    let value = field_value(number_of(cell + corner_of(corner), parameters.dims));
    above |= u32(value > isovalue.x) << corner;
    corner_values[corner] = (value - isovalue.x) - isovalue.y;
  }
  return above;
}
`,
};
