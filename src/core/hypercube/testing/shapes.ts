import fc from "fast-check";
import type { Operation } from "../operations.ts";
import { countOf } from "../shape.ts";

/** Small shapes in one to six dimensions, the fastest axis first: extents of 1, primes, powers of two and mixed lengths. */
export const smallShapes: readonly (readonly number[])[] = [
  [1],
  [7],
  [8],
  [12],
  [4, 4],
  [5, 3],
  [1, 6],
  [2, 3, 4],
  [8, 1, 2],
  [3, 2, 1, 4],
  [2, 3, 2, 1, 2],
  [2, 2, 3, 2, 1, 2],
];

const divisors = (n: number): number[] =>
  Array.from({ length: n }, (_, k) => k + 1).filter((k) => n % k === 0);

/** Every kind of transform of a shape, with arguments of every sign and size that it takes. */
export function everyOperation(lengths: readonly number[]): Operation[] {
  const operations: Operation[] = [
    { kind: "flip", axes: lengths.map((_, axis) => axis) },
    { kind: "flip", axes: [0, 0] },
  ];
  for (const [axis, length] of lengths.entries()) {
    operations.push({ kind: "flip", axes: [axis] });
    for (const by of [-2 * length - 1, -1, 0, 1, length]) {
      operations.push({ kind: "shift", axis, by }, { kind: "pshift", axis, by });
    }
    for (const step of divisors(length))
      operations.push({ kind: "crinkle", axis, step }, { kind: "uncrinkle", axis, step });
    for (const step of [2, 3, length + 1]) operations.push({ kind: "crinkle", axis, step, pads: true });
    for (const [before, after] of [
      [0, 0],
      [1, 0],
      [0, 3],
      [2, 1],
    ]) {
      operations.push({ kind: "pad", axis, before, after });
      if (before + after < length) operations.push({ kind: "crop", axis, before, after });
    }
    for (const other of lengths.keys()) operations.push({ kind: "transpose", axes: [axis, other] });
  }
  const axes = [...lengths.keys()];
  operations.push(
    { kind: "permute", axes: [...axes.slice(1), 0] },
    { kind: "permute", axes: [...axes].reverse() },
  );
  if (lengths.length <= 5) {
    operations.push({ kind: "tile", lengths: lengths.map((length) => divisors(length).at(-2) ?? 1) });
    operations.push({ kind: "tile", lengths: lengths.map((length) => divisors(length)[1] ?? 1) });
  }
  if (lengths.length % 2 === 0) operations.push({ kind: "untile" });
  if (lengths.every((length) => Number.isInteger(Math.log2(length)))) operations.push({ kind: "morton" });
  if (lengths.length === 1 && lengths[0] === 8) operations.push({ kind: "unmorton", lengths: [2, 1, 4] });
  return operations;
}

/** Random shapes of one to three axes, with up to 5 operations that follow one another, all of them possible. */
export const shapeAndOperations = (
  after: (lengths: readonly number[], operation: Operation) => readonly number[],
) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(1, 2, 3, 4, 6, 8), { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
    )
    .map(([shape, choices]) => {
      let lengths: readonly number[] = shape;
      const operations: Operation[] = [];
      for (const choice of choices) {
        const limit = Math.max(300, countOf(lengths));
        const possible = everyOperation(lengths).filter(
          (operation) => countOf(after(lengths, operation)) <= limit,
        );
        const operation = possible[choice % possible.length];
        operations.push(operation);
        lengths = after(lengths, operation);
      }
      return { lengths: shape, operations };
    });
