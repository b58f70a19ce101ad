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

/**
 * How many finite values have each digit: bits `shift` … `shift + width − 1` of their sortable bits, among those whose
 * bits above are those of `prefix`.
 */
export type DigitCounts = (prefix: number, shift: number, width: number) => Promise<ArrayLike<number>>;

/**
 * Values by their rank among all finite ones of an array that only counts digits: a radix selection (Knuth, The Art of
 * Computer Programming 3, § 5.2.5), which needs no copy and no order. Counts are asked for once.
 */
export class Selection {
  readonly #width: number;
  readonly #count: DigitCounts;
  readonly #known = new Map<string, Promise<ArrayLike<number>>>();

  /** `width` bits are counted at a time; it divides 32. */
  constructor(width: number, count: DigitCounts) {
    this.#width = width;
    this.#count = count;
  }

  /** How many values are finite. */
  async finite(): Promise<number> {
    const counts = await this.#digits(0, 32 - this.#width);
    let sum = 0;
    for (let digit = 0; digit < counts.length; digit++) sum += counts[digit];
    return sum;
  }

  /** The finite value of a rank, from 0 for the least. */
  async valueOf(rank: number): Promise<number> {
    let prefix = 0;
    let left = rank;
    for (let shift = 32 - this.#width; shift >= 0; shift -= this.#width) {
      const counts = await this.#digits(prefix, shift);
      let digit = 0;
      while (left >= counts[digit]) left -= counts[digit++];
      prefix = (prefix | (digit << shift)) >>> 0;
    }
    return valueOfSortableBits(prefix) + 0;
  }

  #digits(prefix: number, shift: number): Promise<ArrayLike<number>> {
    const key = `${prefix} ${shift}`;
    const known = this.#known.get(key) ?? this.#count(prefix, shift, this.#width);
    this.#known.set(key, known);
    return known;
  }
}

/**
 * The value below which the share `p` of all finite ones lies: between the two nearest ranks of p (n − 1), linearly. NaN
 * where nothing is finite.
 */
export async function quantileOf(selection: Selection, p: number): Promise<number> {
  const count = await selection.finite();
  if (count === 0) return Number.NaN;
  const place = p * (count - 1);
  const rank = Math.floor(place);
  const below = await selection.valueOf(rank);
  if (place === rank) return below;
  const above = await selection.valueOf(rank + 1);
  return below + (place - rank) * (above - below);
}

/** The selection over an array. */
export function selectionIn(data: Float32Array): Selection {
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
  return new Selection(16, async (prefix, shift, width) => {
    const counts = new Uint32Array(2 ** width);
    const above = shift + width;
    const last = counts.length - 1;
    for (let i = 0; i < words.length; i++) {
      const bits = words[i];
      if ((bits & 0x7f800000) === 0x7f800000) continue;
      const key = bits & 0x80000000 ? ~bits : bits | 0x80000000;
      if (above < 32 && (key ^ prefix) >>> above !== 0) continue;
      counts[(key >>> shift) & last]++;
    }
    return counts;
  });
}
