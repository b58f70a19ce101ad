import { storedValue } from "../fields/compact-field.ts";
import type { Fragment } from "../shader/fragment.ts";

/**
 * The field's value at a point. Needs the array `field: array<u32>` and a uniform `parameters` with the members `plane`
 * (the component's first element) and `storage` (see `storedValue`).
 */
export const fieldValues: Fragment = {
  name: "field values",
  requires: [storedValue],
  code: /* wgsl */ `
fn field_value(point: u32) -> f32 {
  let i = parameters.plane + point;
  return stored_value(field[stored_word(i, parameters.storage)], i, parameters.storage);
}
`,
};
