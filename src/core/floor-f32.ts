const value = new Float32Array(1);
const bits = new Int32Array(value.buffer);

/** The smallest normal f32; GPUs may treat what is smaller as zero. */
const smallest = 2 ** -126;

/**
 * The largest f32 that is not above x, subnormal numbers left out: for an f32 value f, f > x exactly where
 * f > floorF32(x), so that the GPU puts every grid value on the same side of an isovalue as f64 arithmetic does.
 */
export function floorF32(x: number): number {
  value[0] = x;
  if (value[0] > x) bits[0] += value[0] > 0 ? -1 : 1;
  if (Math.abs(value[0]) < smallest) return x < 0 ? -smallest : 0;
  return value[0];
}

/** The smallest f32 that is not below x, likewise: f >= x exactly where f >= ceilF32(x). */
export function ceilF32(x: number): number {
  return -floorF32(-x);
}
