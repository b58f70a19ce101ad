import { finite } from "../../../shader/finite.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { blockLayout } from "../../blocks/block-layout.ts";
import { fieldValues } from "../../field-values.ts";
import { parameters } from "../parameters.ts";

/**
 * The gradient at a grid point whose value is known: central differences over both neighbours, one-sided at the
 * grid's border (where the value stands in for its missing neighbour) and beside values that are not finite.
 */
export const surfaceNormal: Fragment = {
  name: "surface normal",
  requires: [parameters, fieldValues, blockLayout, finite],
  code: /* wgsl */ `
/** Along one axis, beside a value that is not finite. */
fn one_sided(before: f32, here: f32, after: f32, axis: u32, i: u32) -> f32 {
  let x = parameters.axes[axis] + i;
  if (is_finite(before) && is_finite(after)) {
    return (after - before) * coordinates[x + parameters.to_inverse];
  }
  if (is_finite(after) && i + 1u < parameters.dims[axis]) {
    return (after - here) / (coordinates[x + 1u] - coordinates[x]);
  }
  if (is_finite(before) && i > 0u) {
    return (here - before) / (coordinates[x] - coordinates[x - 1u]);
  }
  return 0.0;
}

fn gradient(here: f32, point: vec3u) -> vec3f {
  let dims = parameters.dims;
  let word = number_of(point, dims);
  let stride = vec3u(1u, dims.x, dims.x * dims.y);
  let low = select(vec3u(word) - stride, vec3u(word), point == vec3u(0u));
  let high = select(vec3u(word) + stride, vec3u(word), point + 1u == dims);
  let before = vec3f(field_value(low.x), field_value(low.y), field_value(low.z));
  let after = vec3f(field_value(high.x), field_value(high.y), field_value(high.z));
  let magnitude = max(bitcast<vec3u>(before) & vec3u(0x7fffffffu), bitcast<vec3u>(after) & vec3u(0x7fffffffu));
  if (all(magnitude < vec3u(0x7f800000u))) {
    let x = parameters.axes + point + parameters.to_inverse;
    return (after - before) * vec3f(coordinates[x.x], coordinates[x.y], coordinates[x.z]);
  }
  return vec3f(
    one_sided(before.x, here, after.x, 0u, point.x),
    one_sided(before.y, here, after.y, 1u, point.y),
    one_sided(before.z, here, after.z, 2u, point.z),
  );
}

/** The unit vector along v; along \`otherwise\` where v is zero or not finite. Scaled first, so nothing overflows. */
fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
  let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
  if (!(largest > 0.0) || !is_finite(largest)) {
    return otherwise;
  }
  return normalize(v / largest);
}
`,
};
