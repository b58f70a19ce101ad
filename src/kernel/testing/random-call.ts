/** Data for kernels over the declarations of `grid-kernel.ts`, and other calls of tests. */
import type { KernelCall, Triple } from "../layout.ts";
import { elementCount, wholeGrid, wholeRow } from "../layout.ts";
import { randomKernelConstants } from "./random-kernels.ts";

/** Numbers in [0, 1) from a seed, the same each time. */
export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const specialFloats = [Number.NaN, Infinity, -Infinity, -0, 0, 1e-42, 2 ** -126, 3.4e38, 1, -1];
const specialWords = [0, 1, 2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1, 31, 32, 2 ** 24 + 1];

/** Floats of many magnitudes; one in eight is special: NaN, infinite, −0, subnormal. */
export function randomFloats(
  random: () => number,
  length: number,
  specials = 1 / 8,
): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, () =>
    random() < specials
      ? specialFloats[Math.floor(random() * specialFloats.length)]
      : (random() - 0.5) * 10 ** Math.floor(random() * 6 - 2),
  );
}

export function randomWords(random: () => number, length: number, below: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length }, () =>
    below === 2 ** 32 && random() < 1 / 4
      ? specialWords[Math.floor(random() * specialWords.length)]
      : random() * below,
  );
}

/** A call of a kernel of `gridKernel`, on all of a grid. */
export function gridCall(random: () => number, whole: Triple, specials?: number): KernelCall {
  const grid = wholeGrid(whole);
  const n = elementCount(grid);
  const floats = (length: number) => randomFloats(random, length, specials);
  return {
    space: grid,
    inputs: {
      own: { words: floats(n), part: grid },
      vectors: { words: floats(3 * n), part: grid },
      near: { words: floats(n), part: grid },
      wide: { words: floats(n), part: grid },
      nodes: { words: randomWords(random, 8 * n, n + 4), part: wholeRow(8 * n) },
      corners: { words: floats(n), part: wholeRow(n) },
      table: { words: floats(7), part: wholeRow(7) },
    },
    outputs: { result: new Float32Array(n), vector: new Float32Array(3 * n), count: new Int32Array(n) },
    constants: { scale: 1.5, reach: 2, offset: [1, -2, 3], weights: [0.1, 0.2, 0.3, 0.4] },
  };
}

/** A call of a kernel of `randomKernel`, on all of a row. */
export function randomKernelCall(random: () => number, length: number): KernelCall {
  const row = wholeRow(length);
  return {
    space: row,
    inputs: {
      own: { words: randomFloats(random, length), part: row },
      words: { words: randomWords(random, length, 2 ** 32), part: row },
      vectors: { words: randomFloats(random, 4 * length), part: row },
      signed: { words: Int32Array.from(randomWords(random, 14, 2 ** 32)), part: wholeRow(7) },
      corners: { words: randomFloats(random, length), part: row },
      named: { words: randomWords(random, 3 * length, length + 2), part: wholeRow(3 * length) },
    },
    outputs: {
      number: new Float32Array(length),
      vector: new Float32Array(3 * length),
      integer: new Int32Array(2 * length),
      word: new Uint32Array(length),
    },
    constants: randomKernelConstants,
  };
}
