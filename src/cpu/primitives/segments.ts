import type { HostArray } from "../../core/primitives/vector.ts";
import type { CpuVector } from "./vector.ts";

export type CpuSegments = { readonly keys: CpuVector } | { readonly heads: CpuVector<"u32"> };

/** Where a segment begins: equal neighbouring keys belong together, or a head flag begins one. */
export type IsHead = (i: number) => boolean;

export const headsByKeys =
  (keys: HostArray): IsHead =>
  (i) =>
    i === 0 || keys[i] !== keys[i - 1];

const headsByFlags =
  (flags: HostArray): IsHead =>
  (i) =>
    i === 0 || flags[i] !== 0;

export const isHeadOf = (segments: CpuSegments): IsHead =>
  "heads" in segments ? headsByFlags(segments.heads.words()) : headsByKeys(segments.keys.words());

/** Calls `visit` for each segment [from, to), in order. */
export function eachSegment(length: number, isHead: IsHead, visit: (from: number, to: number) => void): void {
  let from = 0;
  for (let i = 1; i <= length; i++) {
    if (i < length && !isHead(i)) continue;
    visit(from, i);
    from = i;
  }
}

/** Where segments begin. */
export function segmentStarts(length: number, isHead: IsHead): Uint32Array {
  let segments = 0;
  for (let i = 0; i < length; i++) if (isHead(i)) segments++;
  const starts = new Uint32Array(segments);
  for (let i = length - 1; i >= 0; i--) if (isHead(i)) starts[--segments] = i;
  return starts;
}
