import { defineTally } from "../../core/primitives/reduction.ts";
import type { FieldValues } from "../../core/statistics.ts";
import { byElements, lookAtElements, offsetOf, withElements } from "./elements.ts";
import { valueOfSortableBits, valueOfSortableWords } from "./sortable-bits.ts";

/** Bits of each digit, the first one first: a GPU counts 11 in workgroup memory. */
const usualDigits = [11, 11, 10];

/** Digits where counters are cheap, so that fewer passes are faster: a processor's. */
const hostDigits = [16, 16];

/** The same of f64. */
const wideDigits = [16, 16, 16, 16];

/** The digits for numbers in host memory, all of whose bits are looked at. */
export const digitsOf = (numbers: Float32Array | Float64Array): readonly number[] =>
  numbers instanceof Float32Array ? hostDigits : wideDigits;

/** `word` of digits of f32. */
const single = 0;
/** Of digits of f64's upper or lower word. */
const upper = 1;
const lower = 2;

/**
 * Counts, among finite values, each digit of the sortable bits of those whose bits above it are the prefix's, and whose upper word is
 * the one given where the digit is of the lower word of f64, which the host's loop alone has.
 */
const digitCounts = byElements(({ inputs, constants, functions }) =>
  defineTally({
    name: "digits",
    inputs,
    constants: {
      ...constants,
      prefix: { type: "u32" },
      prefix_mask: { type: "u32" },
      shift: { type: "u32" },
      digit_mask: { type: "u32" },
      word: { type: "u32" },
      upper_word: { type: "u32" },
    },
    // Twice as fast as code that writes the bin of each element; magnitudes are rounded to f32 once.
    hostLoop(bound, from, to, counts) {
      const [shift, digit_mask] = [Number(bound.constants.shift), Number(bound.constants.digit_mask)];
      // Signed words, which loops need not convert.
      const [prefix, mask] = [Number(bound.constants.prefix) | 0, Number(bound.constants.prefix_mask) | 0];
      const word = Number(bound.constants.word);
      if (word !== single) {
        const upperWord = Number(bound.constants.upper_word) | 0;
        lookAtElements(bound, from, to, (numbers, from, to) => {
          const words = wideWordsOf(numbers, from, to);
          for (let i = 0; i < words.length; i += 2) {
            const high = words[i + 1];
            if ((high & 0x7ff00000) === 0x7ff00000) continue;
            const sign = high >> 31;
            const highKey = high ^ (sign | 0x80000000);
            if (word === lower && highKey !== upperWord) continue;
            const key = word === lower ? words[i] ^ sign : highKey;
            if (((key ^ prefix) & mask) === 0) counts[(key >>> shift) & digit_mask]++;
          }
        });
        return;
      }
      lookAtElements(bound, from, to, (numbers, from, to) => {
        const words = wordsOf(numbers, from, to);
        for (let i = 0; i < words.length; i++) {
          const bits = words[i];
          if ((bits & 0x7f800000) === 0x7f800000) continue;
          const key = bits ^ ((bits >> 31) | 0x80000000);
          if (((key ^ prefix) & mask) === 0) counts[(key >>> shift) & digit_mask]++;
        }
      });
    },
    text: `
      let item = this_element();
      let bits = bitcast<u32>(item.value);
      let key = select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
      if (item.kind != is_number || ((key ^ constants.prefix) & constants.prefix_mask) != 0u) { return; }
      out.bin = (key >> constants.shift) & constants.digit_mask;`,
    functions,
  }),
);

/** The bits of numbers [from, to) as f32. */
function wordsOf(numbers: ArrayLike<number>, from: number, to: number): Int32Array {
  if (numbers instanceof Float32Array) {
    const singles = numbers.subarray(from, to);
    return new Int32Array(singles.buffer, singles.byteOffset, singles.length);
  }
  const singles = new Float32Array(to - from);
  for (let i = 0; i < singles.length; i++) singles[i] = numbers[from + i];
  return new Int32Array(singles.buffer);
}

/** The bits of numbers [from, to) as f64, the lower word of each first. */
function wideWordsOf(numbers: ArrayLike<number>, from: number, to: number): Int32Array {
  const doubles =
    numbers instanceof Float64Array
      ? numbers.subarray(from, to)
      : Float64Array.from({ length: to - from }, (_, i) => numbers[from + i]);
  return new Int32Array(doubles.buffer, doubles.byteOffset, 2 * doubles.length);
}

/**
 * The finite values of a field (magnitudes where it has several components) by their rank, in f32, or in f64 on the host: a radix selection
 * (Knuth, The Art of Computer Programming 3, § 5.2.5), which needs no copy and no order. A value takes a pass for each
 * digit; what several values share is counted once.
 */
export class Selection {
  readonly #field: FieldValues;
  readonly #digits: readonly number[];
  readonly #known = new Map<string, Promise<Uint32Array>>();

  /** `digits` are how many bits are looked at in each pass: 32 in all, or on the host the 64 of f64. */
  constructor(field: FieldValues, digits: readonly number[] = usualDigits) {
    this.#field = field;
    this.#digits = digits;
  }

  /** How many values are finite. */
  async finite(): Promise<number> {
    const counts = await this.#counts(0, [0, 0]);
    let sum = 0;
    for (let digit = 0; digit < counts.length; digit++) sum += counts[digit];
    return sum;
  }

  /** The finite value of a rank, from 0 for the lowest. */
  async valueOf(rank: number): Promise<number> {
    const words: [number, number] = [0, 0];
    let left = rank;
    for (let k = 0; k < this.#digits.length; k++) {
      const counts = await this.#counts(k, words);
      let digit = 0;
      while (left >= counts[digit]) left -= counts[digit++];
      const { word, shift } = this.#place(k);
      words[word] = (words[word] | (digit << shift)) >>> 0;
    }
    const value = this.#isWide ? valueOfSortableWords(words) : valueOfSortableBits(words[0]);
    return value + 0 + offsetOf(this.#field);
  }

  get #isWide(): boolean {
    return this.#bitsFrom(0) === 64;
  }

  #bitsFrom(k: number): number {
    return this.#digits.slice(k).reduce((sum, bits) => sum + bits, 0);
  }

  /** The word that has digit k, and its bits below the digit. */
  #place(k: number): { word: 0 | 1; shift: number } {
    const below = this.#bitsFrom(k + 1);
    return { word: this.#isWide && below < 32 ? 1 : 0, shift: below % 32 };
  }

  #counts(k: number, [first, second]: readonly [number, number]): Promise<Uint32Array> {
    const key = `${k} ${first} ${second}`;
    let known = this.#known.get(key);
    if (!known) {
      const { word, shift } = this.#place(k);
      known = counted(this.#field, shift, this.#digits[k], {
        prefix: word === 0 ? first : second,
        word: this.#isWide ? [upper, lower][word] : single,
        upper_word: first,
      });
      this.#known.set(key, known);
    }
    return known;
  }
}

function counted(
  field: FieldValues,
  shift: number,
  width: number,
  among: Readonly<Record<"prefix" | "word" | "upper_word", number>>,
): Promise<Uint32Array> {
  const { primitives, count } = field;
  const bins = 2 ** width;
  const above = shift + width;
  return withElements(field, digitCounts, async (tally, inputs, constants) => {
    const counts = await primitives.countEach(count, tally, bins, {
      inputs,
      constants: {
        ...constants,
        ...among,
        prefix_mask: above === 32 ? 0 : (~0 << above) >>> 0,
        shift,
        digit_mask: bins - 1,
      },
    });
    try {
      return await primitives.toHost(counts);
    } finally {
      counts.release();
    }
  });
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
