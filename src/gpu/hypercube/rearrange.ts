/** Index maps applied to buffers, in one pass. */
import { type IndexMap, isInvolution } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { widenedMap } from "../../core/hypercube/widened.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { BoundKernel } from "../compute/dispatch.ts";
import type { Recorder } from "../compute/recorder.ts";
import { bindView, checkApart, checkView, type View } from "../compute/view.ts";
import type { GpuContext } from "../device/context.ts";
import { type BufferAccess, bufferAccess } from "./access.ts";
import { type Accesses, type ElementBytes, exchangeCode, type KernelCode, moveCode } from "./code.ts";
import { tileOf } from "./tile.ts";
import { tileCode } from "./tile-code.ts";

/** Words of a buffer: views begin at multiples of 256 bytes, and their last word is padded with zeros. */
export interface Rearrangement {
  /** Encodes what the map makes of `source` into `target`, which is another buffer. Throws BadArgument. */
  record(recorder: Recorder, operands: { readonly source: View; readonly target: View }): void;
  /** The same for passes, of buffers that need be no pool's, unchecked. */
  bound(source: GPUBuffer, target: GPUBuffer): Encode;
}

/** As `Rearrangement`, in the elements' own buffer. */
export interface Exchange {
  record(recorder: Recorder, words: View): void;
  bound(words: GPUBuffer): Encode;
}

/** Encodes into a pass, as often as wanted. */
export type Encode = (pass: GPUComputePassEncoder) => void;

export interface RearrangementOptions {
  /** Whether maps that have tiles go through workgroup memory, whose barriers cost software adapters more than they save. */
  readonly isTiled?: boolean;
  /** Bytes that are bound at once at most, instead of what the device allows. */
  readonly largestBinding?: number;
}

/** Words that elements of a shape take. */
export const wordCount = (lengths: readonly number[], elementBytes: number): number =>
  Math.ceil((countOf(lengths) * elementBytes) / 4);

/** The same map of the largest elements that it moves as a whole. */
function widest(
  map: IndexMap,
  bytes: ElementBytes,
): { readonly map: IndexMap; readonly bytes: ElementBytes } {
  for (const wide of [16, 8, 4, 2] as const) {
    const found = wide > bytes ? widenedMap(map, wide / bytes) : undefined;
    if (found) return { map: found, bytes: wide };
  }
  return { map, bytes };
}

/** The shader of a map of elements of so many bytes; through tiles, where it has them. */
export function kernelOf(
  map: IndexMap,
  bytes: ElementBytes,
  accesses: Accesses,
  isTiled: boolean,
): KernelCode {
  if (bytes >= 4 && isTiled) {
    const words = bytes as 4 | 8 | 16;
    const tile = tileOf(map, words);
    if (tile) return tileCode(map, words, tile, accesses);
  }
  return moveCode(map, bytes, accesses);
}

/**
 * A map compiled for elements of 1, 2, 4, 8 or 16 bytes: once for a device, a shape and an element's size. Arrays that are larger
 * than a binding are bound in parts. Throws TooLarge, ShaderError.
 */
export async function createRearrangement(
  gpu: GpuContext,
  map: IndexMap,
  elementBytes: ElementBytes,
  { isTiled = !gpu.adapter.isSoftware, largestBinding }: RearrangementOptions = {},
): Promise<Rearrangement> {
  const wide = widest(map, elementBytes);
  const [from, to] = [map.from, map.to].map((lengths) => wordCount(lengths, elementBytes));
  const accesses = {
    source: bufferAccess(gpu, "The source of a rearrangement", 4 * from, largestBinding),
    result: bufferAccess(gpu, "The result of a rearrangement", 4 * to, largestBinding),
  };
  const { code, groups } = kernelOf(wide.map, wide.bytes, accesses, isTiled);
  const pipeline = await gpu.pipelines.get({ label: "rearrangement", code, entryPoint: "main" });
  return {
    record(recorder, { source, target }) {
      const views = [
        ...checkedParts(gpu, "The source of a rearrangement", source, from, accesses.source),
        ...checkedParts(gpu, "The target of a rearrangement", target, to, accesses.result),
      ];
      checkApart("A rearrangement", [source], [target]);
      recorder.dispatch(pipeline, bindingsOf(views), groups);
    },
    bound(source, target) {
      const views = [
        ...partsOf({ buffer: source, offset: 0, length: from }, accesses.source),
        ...partsOf({ buffer: target, offset: 0, length: to }, accesses.result),
      ];
      return boundTo(gpu, pipeline, views, groups);
    },
  };
}

/** As `createRearrangement`, in place; undefined where the map does not exchange elements in pairs, or parts words. */
export async function createExchange(
  gpu: GpuContext,
  map: IndexMap,
  elementBytes: ElementBytes,
): Promise<Exchange | undefined> {
  const wide = widest(map, elementBytes);
  if (wide.bytes < 4 || !isInvolution(map)) return undefined;
  const words = wordCount(map.to, elementBytes);
  const what = "The array of a rearrangement in place";
  const access = bufferAccess(gpu, what, 4 * words);
  const { code, groups } = exchangeCode(wide.map, wide.bytes as 4 | 8 | 16, access);
  const pipeline = await gpu.pipelines.get({ label: "rearrangement in place", code, entryPoint: "main" });
  return {
    record(recorder, view) {
      recorder.dispatch(pipeline, bindingsOf(checkedParts(gpu, what, view, words, access)), groups);
    },
    bound: (buffer) => boundTo(gpu, pipeline, partsOf({ buffer, offset: 0, length: words }, access), groups),
  };
}

const bindingsOf = (views: readonly View[]) => views.map((view) => bindView(view).resource);

function boundTo(
  gpu: GpuContext,
  pipeline: GPUComputePipeline,
  views: readonly View[],
  groups: number,
): Encode {
  const kernel = new BoundKernel(gpu, pipeline, bindingsOf(views));
  return (pass) => kernel.dispatch(pass, groups);
}

/** The views that a view is bound as. */
function partsOf({ buffer, offset, length }: View, { parts, partBytes }: BufferAccess): View[] {
  return Array.from({ length: parts }, (_, part) => {
    const first = (part * partBytes) / 4;
    return { buffer, offset: offset + first, length: Math.min(partBytes / 4, length - first) };
  });
}

function checkedParts(
  gpu: GpuContext,
  what: string,
  view: View,
  words: number,
  access: BufferAccess,
): View[] {
  if (view.length !== words || view.offset % 64 !== 0) {
    throw badArgument(
      `${what} is ${view.length} words from word ${view.offset} on.`,
      `Give it ${words} words from a multiple of 64 on.`,
    );
  }
  const parts = partsOf(view, access);
  for (const part of parts) checkView(gpu.device, what, part);
  return parts;
}
