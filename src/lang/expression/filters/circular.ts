import type { FunctionText } from "./filter.ts";
import { nan } from "./special-values.ts";

/**
 * WGSL's own sin and cos may be off by 2⁻¹¹, and leave arguments beyond [−π, π] open. Here the nearest quarter turn is
 * taken off in four parts of π/2, the first three of 8 bits, so that their products are exact up to 2¹⁶ quarter turns
 * (Cody and Waite, Software Manual for the Elementary Functions, 1980); polynomials of least error do the rest. Where
 * far larger arguments leave no digit, the result still lies within [−1, 1].
 */
const quarterTurns: FunctionText = {
  text: /* wgsl */ `
struct QuarterTurns {
  sine: f32,
  cosine: f32,
  quadrant: f32,
  is_odd: bool,
}

fn quarter_turns(x: f32) -> QuarterTurns {
  let k = round(x * 0.63661977);
  let far = fma(-k, 0.0004825592041015625, fma(-k, 1.5703125, x));
  let near = fma(-k, 9.920935e-10, fma(-k, 0.0000012665987014770508, far));
  let r = clamp(near, -0.8, 0.8);
  let s = r * r;
  let sine = r + r * s * (-0.16666654 + s * (0.008332063 - s * 0.00019502135));
  let cosine = 1.0 - 0.5 * s + s * s * (0.04166664 + s * (-0.0013887185 + s * 0.000024418128));
  return QuarterTurns(sine, cosine, k - 4.0 * floor(0.25 * k), floor(0.5 * k) != 0.5 * k);
}
`,
};

export const sine: FunctionText = {
  requires: [quarterTurns],
  text: /* wgsl */ `
fn sine(x: f32) -> f32 {
  let turned = quarter_turns(x);
  let value = select(turned.sine, turned.cosine, turned.is_odd);
  return select(${nan}, select(value, -value, turned.quadrant >= 2.0), isFinite(x));
}
`,
};

export const cosine: FunctionText = {
  requires: [quarterTurns],
  text: /* wgsl */ `
fn cosine(x: f32) -> f32 {
  let turned = quarter_turns(x);
  let value = select(turned.cosine, turned.sine, turned.is_odd);
  let isNegative = turned.quadrant == 1.0 || turned.quadrant == 2.0;
  return select(${nan}, select(value, -value, isNegative), isFinite(x));
}
`,
};

export const tangent: FunctionText = {
  requires: [quarterTurns],
  text: /* wgsl */ `
fn tangent(x: f32) -> f32 {
  let turned = quarter_turns(x);
  let over = select(turned.sine, -turned.cosine, turned.is_odd);
  return select(${nan}, over / select(turned.cosine, turned.sine, turned.is_odd), isFinite(x));
}
`,
};

/** WGSL's asin and acos may be off by 6.77·10⁻⁵, and leave values outside the domain open. */
export const arcSine: FunctionText = {
  text: /* wgsl */ `
fn arc_sine(x: f32) -> f32 {
  let y = clamp(x, -1.0, 1.0);
  return select(${nan}, atan2(y, sqrt((1.0 - y) * (1.0 + y))), abs(x) <= 1.0);
}
`,
};

export const arcCosine: FunctionText = {
  text: /* wgsl */ `
fn arc_cosine(x: f32) -> f32 {
  let y = clamp(x, -1.0, 1.0);
  return select(${nan}, atan2(sqrt((1.0 - y) * (1.0 + y)), y), abs(x) <= 1.0);
}
`,
};
