/** Values that texts have no literals for, as shaders take them: of their bits. */
export const nan = "bitcast<f32>(0x7fc00000u)";
export const infinity = "bitcast<f32>(0x7f800000u)";
export const minusInfinity = "bitcast<f32>(0xff800000u)";
