import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import type { Block } from "./blocks.ts";

/** Where a vector's elements are, or how they are made up. */
export type Content =
  | { readonly kind: "memory"; readonly block: Block; readonly offset: number }
  /** Element i is start + step · (first + i). */
  | { readonly kind: "counting"; readonly first: number; readonly start: number; readonly step: number }
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "reversed"; readonly of: GpuVector }
  | {
      readonly kind: "permuted";
      readonly of: GpuVector;
      readonly map: GpuVector<"u32">;
      /** Whether indices that are out of range are an error. */
      readonly checked: boolean;
    };

export interface GpuVector<T extends ScalarType = ScalarType> extends Vector<T> {
  /** The session that made it. */
  readonly owner: object;
  readonly content: Content;
}

export const isGpuVector = <T extends ScalarType>(vector: Vector<T>): vector is GpuVector<T> =>
  "owner" in vector && "content" in vector;

interface Shape<T extends ScalarType> {
  readonly type: T;
  readonly length: number;
  readonly components: number;
}

/** A vector with memory of its own. */
export function memoryVector<T extends ScalarType>(
  owner: object,
  { type, length, components }: Shape<T>,
  block: Block,
): GpuVector<T> {
  const content: Content = { kind: "memory", block, offset: 0 };
  return { owner, type, length, components, content, release: () => block.release() };
}

/** A vector that needs no release. */
export function viewVector<T extends ScalarType>(
  owner: object,
  { type, length, components }: Shape<T>,
  content: Content,
): GpuVector<T> {
  return { owner, type, length, components, content, release: () => {} };
}

/** All memory that a vector reads. */
export function blocksOf({ content }: GpuVector): readonly Block[] {
  switch (content.kind) {
    case "memory":
      return [content.block];
    case "reversed":
      return blocksOf(content.of);
    case "permuted":
      return [...blocksOf(content.of), ...blocksOf(content.map)];
    default:
      return [];
  }
}

/** The words of a vector with memory. */
export const viewOf = (
  { length }: GpuVector,
  { block, offset }: Content & { readonly kind: "memory" },
): View => ({ buffer: block.memory.buffer, offset, length });

/** Elements [from, to). */
export function partOf<T extends ScalarType>(vector: GpuVector<T>, from: number, to: number): GpuVector<T> {
  const { owner, content, type, components, length } = vector;
  const shape = { type, components, length: to - from };
  switch (content.kind) {
    case "memory":
      return viewVector(owner, shape, { ...content, offset: content.offset + from * components });
    case "counting":
      return viewVector(owner, shape, { ...content, first: content.first + from });
    case "constant":
      return viewVector(owner, shape, content);
    case "reversed":
      return viewVector(owner, shape, { ...content, of: partOf(content.of, length - to, length - from) });
    case "permuted":
      return viewVector(owner, shape, { ...content, map: partOf(content.map, from, to) });
  }
}
