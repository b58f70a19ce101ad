import type { SortOptions } from "../../src/core/primitives/primitives.ts";
import { fromBits, randomWords } from "../../src/core/primitives/testing/data.ts";
import type { HostArray, ScalarType } from "../../src/core/primitives/vector.ts";
import type { Held } from "./check.ts";

/** The word whose unsigned order is that of the keys. */
function ordered(type: ScalarType, word: number): number {
  if (type === "u32") return word;
  if (type === "i32") return (word ^ 0x80000000) >>> 0;
  if ((word & 0x7fffffff) > 0x7f800000) return 0xffffffff;
  return (word >>> 31 ? ~word : word | 0x80000000) >>> 0;
}

const wordsOf = ({ buffer, byteOffset, length }: HostArray) => new Uint32Array(buffer, byteOffset, length);

/**
 * Sorts n keys of any bits, f32 with NaN among them, each with a payload of `components` words (or none), and proves the
 * result: ordered, equal keys by position, every position once, each word of the payload with its key.
 */
export async function checkSort(
  held: Held,
  type: ScalarType,
  n: number,
  components: number,
  options: SortOptions,
): Promise<void> {
  const { p } = held;
  // Few values among the keys' upper bits, so that there are equal ones.
  const words = randomWords(n, n + 5).map((word) => word & 0xff00000f);
  const expected = words.map((word) => ordered(type, word));
  const keys = held.put(type, fromBits(type, words));
  const what = `${n} ${type}, ${components} words, ${options.descending ? "descending" : "ascending"}`;
  const isBefore = (a: number, b: number) => (options.descending ? a > b : a < b);
  if (components === 0) {
    const got = wordsOf(await held.read(p.sort(keys, options)));
    const sorted = expected.slice().sort();
    if (options.descending) sorted.reverse();
    const wrong = sorted.findIndex((key, i) => ordered(type, got[i]) !== key);
    if (wrong >= 0 || got.length !== n) throw new Error(`${what}: key ${wrong}`);
    return;
  }
  const payload = Uint32Array.from({ length: n * components }, (_, w) => {
    return ((w - (w % components)) / components) ^ (0x01010101 * (w % components));
  });
  const pairs = await p.sortByKey(keys, held.put("u32", payload, components), options);
  const [gotKeys, values] = [wordsOf(await held.read(pairs.keys)), await held.read(pairs.values)];
  const seen = new Uint8Array(n);
  let [before, last] = [0, -1];
  for (let i = 0; i < n; i++) {
    const place = values[i * components];
    const key = ordered(type, gotKeys[i]);
    const isPlaced = place < n && seen[place] === 0 && expected[place] === key;
    const isOrdered = i === 0 || isBefore(before, key) || (before === key && last < place);
    if (!isPlaced || !isOrdered) throw new Error(`${what}: element ${i} came from ${place}`);
    for (let c = 1; c < components; c++) {
      const word = values[i * components + c];
      if (word !== (place ^ (0x01010101 * c)) >>> 0) throw new Error(`${what}: word ${c} of element ${i}`);
    }
    seen[place] = 1;
    [before, last] = [key, place];
  }
}
