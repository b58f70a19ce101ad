import { add } from "../../src/core/primitives/operators.ts";
import { randomWords, runKeys } from "../../src/core/primitives/testing/data.ts";
import { expectedOf } from "../../src/core/primitives/testing/expected.ts";
import { affine, isOdd } from "../../src/core/primitives/testing/operators.ts";
import { type Held, same } from "./check.ts";

/** CUB's lengths, and those around powers of two up to a tile's half. */
export const lengths: readonly number[] = [
  ...[0, 1, 10, 1337, 3000, 3968, 10_000],
  ...[32, 64, 128, 256, 512, 1024, 2048].flatMap((n) => [n - 1, n, n + 1]),
  4_194_305,
  10_000_000,
].sort((a, b) => a - b);

const combine = expectedOf(affine, "u32");

/** One element after the other; segments begin where keys change. */
function scanned(words: Uint32Array, keys: Uint32Array): Uint32Array {
  const result = words.slice();
  for (let i = 1; i < words.length; i++) {
    if (keys[i] === keys[i - 1]) result[i] = combine(result[i - 1], words[i]);
  }
  return result;
}

/** Scans of random and of constant words, by an operator that does not commute; backwards and with init too. */
export async function checkScans(held: Held, n: number): Promise<void> {
  const { p } = held;
  const whole = new Uint32Array(n);
  for (const [name, words] of [
    ["random", randomWords(n, n + 1).map((word) => word | 1)],
    ["constant", new Uint32Array(n).fill(0x30005)],
  ] as const) {
    const vector = held.put("u32", words);
    same(await held.read(p.inclusiveScan(vector, affine)), scanned(words, whole), `${name} ${n}`);
    const sums = await held.read(p.exclusiveScan(vector, add, 7, { reverse: true }));
    let sum = 7;
    const expected = new Uint32Array(n);
    for (let i = n - 1; i >= 0; i--) {
      expected[i] = sum;
      sum = (sum + words[i]) >>> 0;
    }
    same(sums, expected, `${name} ${n}, backwards`);
    if ((await p.reduce(vector, add, 7)) !== sum) throw new Error(`${name} ${n}: sum`);
  }
}

/** By key: segments of length 1, of random lengths, and one whole; scans, sums, lengths. */
export async function checkSegments(held: Held, n: number): Promise<void> {
  const { p } = held;
  const words = randomWords(n, n + 2).map((word) => word | 1);
  const values = held.put("u32", words);
  for (const [name, longest] of [
    ["single", 1],
    ["random", 1000],
    ["whole", 2 ** 32],
  ] as const) {
    const keys = longest === 1 ? Uint32Array.from({ length: n }, (_, i) => i) : runKeys(n, longest, n + 3);
    const expected = scanned(words, keys);
    const k = held.put("u32", keys);
    same(await held.read(p.inclusiveScanByKey({ keys: k }, values, affine)), expected, `${name} ${n}`);
    const isEnd = (i: number) => i === n - 1 || keys[i] !== keys[i + 1];
    const sums = await p.reduceByKey(k, values, affine);
    same(
      await held.read(sums.keys),
      keys.filter((_, i) => isEnd(i)),
      `${name} ${n}: keys`,
    );
    same(
      await held.read(sums.values),
      expected.filter((_, i) => isEnd(i)),
      `${name} ${n}: sums`,
    );
    same(
      await held.read(p.unique(k)),
      keys.filter((_, i) => isEnd(i)),
      `${name} ${n}: unique`,
    );
  }
}

/** What a predicate and a stencil keep. */
export async function checkCompaction(held: Held, n: number): Promise<void> {
  const { p } = held;
  const words = randomWords(n, n + 4);
  const odd = words.filter((word) => word % 2 === 1);
  const even = words.filter((word) => word % 2 === 0);
  const vector = held.put("u32", words);
  same(await held.read(p.copyIf(vector, { where: isOdd })), odd, `odd of ${n}`);
  const stencil = held.put(
    "u32",
    words.map((word) => word & 1),
  );
  same(await held.read(p.removeIf(vector, { stencil })), even, `even of ${n}`);
  const parts = await p.partition(vector, { where: isOdd });
  const got = await held.read(parts.vector);
  same(got.subarray(0, parts.selected), odd, `first part of ${n}`);
  same(got.subarray(parts.selected), even, `second part of ${n}`);
}
