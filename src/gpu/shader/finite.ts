import type { Fragment } from "./fragment.ts";

/**
 * `is_nan` and `is_finite` by bit pattern: WGSL lets compilers assume that NaN and ∞ never occur, so comparisons
 * such as x != x may be folded away.
 */
export const finite: Fragment = {
  name: "finite",
  code: /* wgsl */ `
fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}
`,
};

/** The same under the names that kernel text has for them (docs/kernels.md), and `isInf`. */
export const floatTests: Fragment = {
  name: "float tests",
  code: /* wgsl */ `
fn isNan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn isInf(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

fn isFinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}
`,
};
