/** Index maps applied to buffers, in one pass. */
import { type IndexMap, isInvolution } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { widenedMap } from "../../core/hypercube/widened.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { BoundKernel } from "../compute/dispatch.ts";
import type { Recorder } from "../compute/recorder.ts";
import { bindView, checkApart, checkView, type View } from "../compute/view.ts";
import type { GpuContext } from "../device/context.ts";
import { type ElementBytes, exchangeCode, moveCode, tileCode, unitCount, unitsPerGroup } from "./code.ts";
import { tileCount, tileOf } from "./tile.ts";

/** Words of a buffer: views begin at multiples of 256 bytes, and their last word is padded with zeros. */
export interface Rearrangement {
  /** Encodes what the map makes of `source` into `target`, which is another buffer. Throws BadArgument or TooLarge. */
  record(recorder: Recorder, operands: { readonly source: View; readonly target: View }): void;
  /** The same in a pass, of buffers that need be no pool's, unchecked. */
  encode(pass: GPUComputePassEncoder, source: GPUBuffer, target: GPUBuffer): void;
}

/** As `Rearrangement`, in the elements' own buffer. */
export interface Exchange {
  record(recorder: Recorder, words: View): void;
  encode(pass: GPUComputePassEncoder, words: GPUBuffer): void;
}

export interface RearrangementOptions {
  /** Whether maps that have tiles go through workgroup memory, whose barriers cost software adapters more than they save. */
  readonly isTiled?: boolean;
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

function kernelOf(
  map: IndexMap,
  bytes: ElementBytes,
  isTiled: boolean,
): { readonly code: string; readonly groups: number } {
  if (bytes >= 4 && isTiled) {
    const words = bytes as 4 | 8 | 16;
    const tile = tileOf(map, words);
    if (tile) return { code: tileCode(map, words, tile), groups: tileCount(tile) };
  }
  return { code: moveCode(map, bytes), groups: Math.ceil(unitCount(map, bytes) / unitsPerGroup(bytes)) };
}

/** A map compiled for elements of 1, 2, 4, 8 or 16 bytes: once for a device, a shape and an element's size. Throws ShaderError. */
export async function createRearrangement(
  gpu: GpuContext,
  map: IndexMap,
  elementBytes: ElementBytes,
  { isTiled = !gpu.adapter.isSoftware }: RearrangementOptions = {},
): Promise<Rearrangement> {
  const wide = widest(map, elementBytes);
  const [from, to] = [map.from, map.to].map((lengths) => wordCount(lengths, elementBytes));
  const { code, groups } = kernelOf(wide.map, wide.bytes, isTiled);
  const pipeline = await gpu.pipelines.get({ label: "rearrangement", code, entryPoint: "main" });
  return {
    record(recorder, { source, target }) {
      checkWords(gpu, "The source of a rearrangement", source, from);
      checkWords(gpu, "The target of a rearrangement", target, to);
      checkApart("A rearrangement", [source], [target]);
      recorder.dispatch(pipeline, [bindView(source).resource, bindView(target).resource], groups);
    },
    encode(pass, source, target) {
      new BoundKernel(gpu, pipeline, [{ buffer: source }, { buffer: target }]).dispatch(pass, groups);
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
  const code = exchangeCode(wide.map, wide.bytes as 4 | 8 | 16);
  const pipeline = await gpu.pipelines.get({ label: "rearrangement in place", code, entryPoint: "main" });
  const groups = Math.ceil(unitCount(wide.map, wide.bytes) / unitsPerGroup(wide.bytes));
  return {
    record(recorder, words) {
      checkWords(gpu, "The array of a rearrangement in place", words, wordCount(map.to, elementBytes));
      recorder.dispatch(pipeline, [bindView(words).resource], groups);
    },
    encode(pass, words) {
      new BoundKernel(gpu, pipeline, [{ buffer: words }]).dispatch(pass, groups);
    },
  };
}

function checkWords(gpu: GpuContext, what: string, view: View, words: number): void {
  checkView(gpu.device, what, view);
  if (view.length === words && view.offset % 64 === 0) return;
  throw badArgument(
    `${what} is ${view.length} words from word ${view.offset} on.`,
    `Give it ${words} words from a multiple of 64 on.`,
  );
}
