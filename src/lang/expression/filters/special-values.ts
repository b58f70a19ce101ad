import type { Fragment } from "../../../gpu/shader/fragment.ts";

/** Values that WGSL has no literals for. The parameter keeps the conversion out of constant evaluation. */
const specialValues: Fragment = {
  name: "special values",
  code: /* wgsl */ `
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}
`,
};

export const nan = { wgsl: "from_bits(0x7fc00000u)", fragments: [specialValues] };
export const infinity = { wgsl: "from_bits(0x7f800000u)", fragments: [specialValues] };
export const minusInfinity = { wgsl: "from_bits(0xff800000u)", fragments: [specialValues] };
