/**
 * Bits of an f32, turned so that their order as whole numbers is that of the values: −∞ first, then −1, −0, 0, 1, ∞.
 */
export function sortableBits(bits: number): number {
  return (bits & 0x80000000 ? ~bits : bits | 0x80000000) >>> 0;
}

const word = new DataView(new ArrayBuffer(8));

/** The f32 of sortable bits. */
export function valueOfSortableBits(key: number): number {
  word.setUint32(0, key & 0x80000000 ? key & 0x7fffffff : ~key);
  return word.getFloat32(0);
}

/** The f64 of the two words of its sortable bits, the upper one first. */
export function valueOfSortableWords([upper, lower]: readonly [number, number]): number {
  const isPositive = (upper & 0x80000000) !== 0;
  word.setUint32(0, isPositive ? upper & 0x7fffffff : ~upper);
  word.setUint32(4, isPositive ? lower : ~lower);
  return word.getFloat64(0);
}
