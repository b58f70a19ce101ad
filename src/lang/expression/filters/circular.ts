import { finite } from "../../../gpu/shader/finite.ts";
import type { Fragment } from "../../../gpu/shader/fragment.ts";
import { nan } from "./special-values.ts";

/**
 * WGSL's own sin and cos may be off by 2⁻¹¹, and leave arguments beyond [−π, π] open. Here the nearest quarter turn is
 * taken off in four parts of π/2, the first three of 8 bits, so that their products are exact up to 2¹⁶ quarter turns
 * (Cody and Waite, Software Manual for the Elementary Functions, 1980); polynomials of least error do the rest. Where
 * far larger arguments leave no digit, the result still lies within [−1, 1].
 */
const quarterTurns: Fragment = {
  name: "quarter turns",
  requires: [finite, ...nan.fragments],
  code: /* wgsl */ `
struct QuarterTurns {
  sine: f32,
  cosine: f32,
  quadrant: i32,
}

fn quarter_turns(x: f32) -> QuarterTurns {
  let k = round(x * 0.63661977);
  let far = fma(-k, 0.0004825592041015625, fma(-k, 1.5703125, x));
  let near = fma(-k, 9.920935e-10, fma(-k, 0.0000012665987014770508, far));
  let r = clamp(near, -0.8, 0.8);
  let s = r * r;
  let sine = r + r * s * (-0.16666654 + s * (0.008332063 - s * 0.00019502135));
  let cosine = 1.0 - 0.5 * s + s * s * (0.04166664 + s * (-0.0013887185 + s * 0.000024418128));
  return QuarterTurns(sine, cosine, i32(k - 4.0 * floor(0.25 * k)));
}
`,
};

export const sine: Fragment = {
  name: "sine",
  requires: [quarterTurns],
  code: /* wgsl */ `
fn sine(x: f32) -> f32 {
  let turned = quarter_turns(x);
  let value = select(turned.sine, turned.cosine, (turned.quadrant & 1) == 1);
  return select(${nan.wgsl}, select(value, -value, turned.quadrant >= 2), is_finite(x));
}
`,
};

export const cosine: Fragment = {
  name: "cosine",
  requires: [quarterTurns],
  code: /* wgsl */ `
fn cosine(x: f32) -> f32 {
  let turned = quarter_turns(x);
  let value = select(turned.cosine, turned.sine, (turned.quadrant & 1) == 1);
  let isNegative = turned.quadrant == 1 || turned.quadrant == 2;
  return select(${nan.wgsl}, select(value, -value, isNegative), is_finite(x));
}
`,
};

export const tangent: Fragment = {
  name: "tangent",
  requires: [quarterTurns],
  code: /* wgsl */ `
fn tangent(x: f32) -> f32 {
  let turned = quarter_turns(x);
  let isOdd = (turned.quadrant & 1) == 1;
  let over = select(turned.sine, -turned.cosine, isOdd);
  return select(${nan.wgsl}, over / select(turned.cosine, turned.sine, isOdd), is_finite(x));
}
`,
};

/** WGSL's asin and acos may be off by 6.77·10⁻⁵, and leave values outside the domain open. */
export const arcSine: Fragment = {
  name: "arc sine",
  requires: nan.fragments,
  code: /* wgsl */ `
fn arc_sine(x: f32) -> f32 {
  let y = clamp(x, -1.0, 1.0);
  return select(${nan.wgsl}, atan2(y, sqrt((1.0 - y) * (1.0 + y))), abs(x) <= 1.0);
}
`,
};

export const arcCosine: Fragment = {
  name: "arc cosine",
  requires: nan.fragments,
  code: /* wgsl */ `
fn arc_cosine(x: f32) -> f32 {
  let y = clamp(x, -1.0, 1.0);
  return select(${nan.wgsl}, atan2(sqrt((1.0 - y) * (1.0 + y)), y), abs(x) <= 1.0);
}
`,
};
