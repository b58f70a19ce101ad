import { storedValue } from "../../../fields/compact-field.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { parameters } from "../parameters.ts";

/** The contoured field's value at a point, of `field: array<u32>`. */
export const fieldValues: Fragment = {
  name: "field values",
  requires: [parameters, storedValue],
  code: /* wgsl */ `
fn field_value(point: u32) -> f32 {
  let i = parameters.plane + point;
  return stored_value(field[stored_word(i, parameters.storage)], i, parameters.storage);
}
`,
};
