/**
 * WGSL lets compilers assume that NaN and ∞ do not occur: x != x may be folded to false, and min, max and sign of NaN
 * are unspecified. Tests on the bits cannot be folded away.
 */
export const isNanWgsl = `fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}`;

export const isFiniteWgsl = `fn is_finite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}`;

/** A value that WGSL has no literal for. The parameter keeps the conversion out of constant evaluation. */
export const fromBitsWgsl = `fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}`;

export const nanWgsl = "from_bits(0x7fc00000u)";
