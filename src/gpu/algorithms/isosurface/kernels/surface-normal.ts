import { finite } from "../../../shader/finite.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { blockLayout } from "../blocks.ts";
import { parameters } from "../parameters.ts";

/**
 * The gradient at a grid point whose value is known: central differences over both neighbours, one-sided at the
 * grid's border (where the value stands in for its missing neighbour) and beside values that are not finite.
 */
export const surfaceNormal: Fragment = {
  name: "surface normal",
  requires: [parameters, blockLayout, finite],
  code: /* wgsl */ `
fn derivative(here: f32, word: u32, stride: u32, axis: u32, i: u32) -> f32 {
  let before = field[select(word - stride, word, i == 0u)];
  let after = field[select(word + stride, word, i + 1u == parameters.dims[axis])];
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
  let word = parameters.plane + number_of(point, dims);
  return vec3f(
    derivative(here, word, 1u, 0u, point.x),
    derivative(here, word, dims.x, 1u, point.y),
    derivative(here, word, dims.x * dims.y, 2u, point.z),
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
