/** Functions of f32 that WGSL lacks, or leaves open where numbers are not finite or beyond an integer's range. */
export const helpers = {
  // By their bits: compilers may assume that no f32 is NaN or infinite.
  is_nan: "fn kernel_is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }",
  is_inf: "fn kernel_is_inf(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u; }",
  is_finite: "fn kernel_is_finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u; }",
  to_i32: `fn kernel_to_i32(x: f32) -> i32 {
  if ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u) { return 0; }
  return select(i32(clamp(x, -2147483648.0, 2147483520.0)), 2147483647, x >= 2147483648.0);
}`,
  to_u32: `fn kernel_to_u32(x: f32) -> u32 {
  if ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u) { return 0u; }
  return select(u32(clamp(x, 0.0, 4294967040.0)), 4294967295u, x >= 4294967296.0);
}`,
} as const;

/** x − y·trunc(x / y), corrected by one y where the quotient was rounded across an integer: in [0, |y|), with the sign of x. */
export const remainder = `fn kernel_remainder(x: f32, y: f32) -> f32 {
  let size = abs(y);
  let whole = trunc(abs(x) / size);
  var rest = select(fma(-whole, size, abs(x)), abs(x), whole == 0.0);
  rest = select(rest, rest + size, rest < 0.0);
  rest = select(rest, rest - size, rest >= size);
  return select(rest, -rest, x < 0.0);
}`;
