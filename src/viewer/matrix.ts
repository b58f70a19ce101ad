/** 4×4 matrices, 16 numbers by columns, as WGSL and three.js hold them. */
export type Matrix4 = Float64Array;

/** a · b into `out`, which is neither of them. */
export function multiply(a: Matrix4, b: Matrix4, out: Matrix4): Matrix4 {
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      out[column * 4 + row] = sum;
    }
  }
  return out;
}

/** A perspective whose depth runs from 0 (near) to 1 (far); `tanX` and `tanY` are half extents at distance 1. */
export function setPerspective(out: Matrix4, tanX: number, tanY: number, near: number, far: number): Matrix4 {
  out.fill(0);
  out[0] = 1 / tanX;
  out[5] = 1 / tanY;
  out[10] = far / (near - far);
  out[11] = -1;
  out[14] = (near * far) / (near - far);
  return out;
}

/** m · (x, y, z, 1) into out[offset … offset + 3]. */
export function transformPoint(
  m: Matrix4,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  offset = 0,
): void {
  for (let row = 0; row < 4; row++) {
    out[offset + row] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
  }
}
