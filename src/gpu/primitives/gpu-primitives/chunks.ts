import { CrinkleError } from "../../../core/errors.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import { type GpuVector, partOf } from "./vector.ts";

/** Elements [from, to) of vectors that one dispatch takes. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** Words between places where a binding can begin. */
const alignment = 64;

/** The least that `maxBindingBytes` can be: elements of four words leave chunks of 64 then. */
export const minBindingBytes = 2048;

/** Words of the largest binding that reading the vector whole takes, from a place where bindings begin. */
function boundWords({ content, length, components }: GpuVector): number {
  const words = length * components;
  switch (content.kind) {
    case "memory":
      return (content.offset % alignment) + words;
    case "reversed":
      return boundWords(content.of);
    case "permuted":
      return Math.max(words, boundWords(content.map));
    default:
      return words;
  }
}

/**
 * One chunk where vectors of this length, and results of so many words an element, are bound whole in `max` bytes;
 * else chunks that do, which begin at multiples of 256 bytes of the results.
 */
export function piecesOf(
  max: number,
  vectors: readonly GpuVector[],
  length: number,
  components: number,
): readonly Chunk[] {
  const maxWords = Math.floor(max / 4);
  const words = Math.max(length * components, ...vectors.map(boundWords));
  if (words <= maxWords) return [{ from: 0, to: length }];
  const largest = Math.max(components, ...vectors.map((vector) => vector.components));
  const step = Math.floor((maxWords - alignment) / (largest * alignment)) * alignment;
  return Array.from({ length: Math.ceil(length / step) }, (_, k) => ({
    from: k * step,
    to: Math.min(length, (k + 1) * step),
  }));
}

/** The chunk of a vector. */
export const chunkOf = <T extends ScalarType>(vector: GpuVector<T>, { from, to }: Chunk): GpuVector<T> =>
  from === 0 && to === vector.length ? vector : partOf(vector, from, to);

/** The chunk of a view of elements of so many words. */
export const windowOf = ({ buffer, offset }: View, { from, to }: Chunk, components = 1): View => ({
  buffer,
  offset: offset + from * components,
  length: to - from,
});

/** Whether a vector exceeds a binding of so many bytes. */
export const isLong = (max: number, vector: GpuVector): boolean => boundWords(vector) * 4 > max;

/** Throws TooLarge where a vector that is read whole exceeds a binding. */
export function checkBound(max: number, vector: GpuVector): void {
  if (!isLong(max, vector)) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `A vector of ${vector.length} elements of ${vector.components} words was to be read whole; here at most ${max} bytes are bound at a time.`,
    remedy: "Work on parts of it: a view of some of its elements.",
  });
}
