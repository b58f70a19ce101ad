/**
 * Bits of an f32, turned so that their order as whole numbers is that of the values: −∞ first, then −1, −0, 0, 1, ∞.
 */
export function sortableBits(bits: number): number {
  return (bits & 0x80000000 ? ~bits : bits | 0x80000000) >>> 0;
}

const word = new DataView(new ArrayBuffer(4));

/** The f32 of sortable bits. */
export function valueOfSortableBits(key: number): number {
  word.setUint32(0, key & 0x80000000 ? key & 0x7fffffff : ~key);
  return word.getFloat32(0);
}
