import { CrinkleError } from "../../core/errors.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { holdingOf } from "../device/pool.ts";

/** A range of 32-bit words in a buffer of a pool of the device (usage STORAGE). */
export interface View {
  readonly buffer: GPUBuffer;
  /** Words before the first element. */
  readonly offset: number;
  readonly length: number;
}

/** A number of elements: known to the host, or a u32 on the GPU (as of a `View`) that kernels read. */
export type Count = number | GpuCount;

export interface GpuCount {
  readonly buffer: GPUBuffer;
  /** Words before the count. */
  readonly offset: number;
  /** What the count cannot exceed: kernels are dispatched for it, and read min(count, most). */
  readonly max: number;
}

/** Bindings begin at multiples of this many words. */
const alignment = 64;

/** The most elements that a count can be. */
export const maxOf = (count: Count): number => (typeof count === "number" ? count : count.max);

/** A view as a binding, and how many words of it come before the first element (0 to 63: a kernel's parameter). */
export interface BoundView {
  readonly resource: GPUBufferBinding;
  readonly lead: number;
}

/**
 * The binding of a view: from the multiple of 256 bytes at or below its start to its last word. An empty view binds
 * one word where the buffer has one. `words` is the number of words of an element.
 */
export function bindView({ buffer, offset, length }: View, words = 1): BoundView {
  const lead = offset % alignment;
  const start = (offset - lead) * 4;
  const bytes = (lead + length * words) * 4;
  const size = length > 0 ? bytes : Math.min(Math.max(4, bytes), Math.max(4, buffer.size - start));
  return { resource: { buffer, offset: start, size }, lead };
}

/**
 * Throws BadArgument where a view's buffer was released or is another device's, and where the view leaves it; TooLarge
 * where it exceeds the device's binding. Before anything is recorded.
 */
export function checkView(device: GPUDevice, what: string, view: View, words = 1): void {
  const { buffer, offset, length } = view;
  const holding = holdingOf(buffer);
  if (holding?.device !== device) {
    throw badArgument(
      `${what} is in a buffer (“${buffer.label}”) that was released or is not of this device.`,
      "Give it a buffer that a pool of this device made and that is still held.",
    );
  }
  const ok = Number.isInteger(offset) && Number.isInteger(length) && offset >= 0 && length >= 0;
  if (!ok || (offset + length * words) * 4 > holding.size) {
    throw badArgument(
      `${what} is ${length} elements of ${words} words from word ${offset} of a buffer of ${holding.size / 4} words.`,
      "A view has to lie within its buffer.",
    );
  }
  if (((offset % alignment) + length * words) * 4 > holding.largestBinding) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `${what} has ${length} elements; this device binds at most ${holding.largestBinding} bytes.`,
      remedy: "Work on parts of it.",
    });
  }
}

/** Throws as `checkView` does for a count on the GPU, and BadArgument where a count is no whole number of elements. */
export function checkCount(device: GPUDevice, count: Count): void {
  const most = maxOf(count);
  if (!Number.isInteger(most) || most < 0 || most >= 2 ** 32) {
    throw badArgument(`A count of elements was ${most}.`, "Counts are whole numbers from 0 on, below 2³².");
  }
  if (typeof count !== "number") checkView(device, "A count of elements", { ...count, length: 1 });
}

/** Throws BadArgument where a view has fewer than `least` elements. */
export function checkAtLeast(what: string, least: number, ...views: readonly View[]): void {
  let shortest = Number.POSITIVE_INFINITY;
  for (const { length } of views) shortest = Math.min(shortest, length);
  if (shortest >= least) return;
  throw badArgument(
    `${what} was asked for ${least} elements, and a vector of it has ${shortest}.`,
    "Give every vector at least as many elements as are asked for.",
  );
}

/**
 * Throws BadArgument where what a kernel writes is in a buffer of `inputs` (views, or counts on the GPU), which WebGPU
 * forbids.
 */
export function checkApart(what: string, inputs: readonly (View | Count)[], outputs: readonly View[]): void {
  for (const { buffer } of outputs) {
    for (const input of inputs) {
      if (typeof input === "number" || input.buffer !== buffer) continue;
      throw badArgument(
        `${what} was to write a buffer that it also reads or writes as something else.`,
        "Give it an output of its own.",
      );
    }
  }
}
