import type { Fragment } from "../shader/fragment.ts";
import type { ParameterSlot } from "./arena.ts";
import type { Recorder } from "./recorder.ts";
import { bindView, type Count, checkCount } from "./view.ts";

/** A count as kernels see it: a read-only storage binding, the word of it, and a bound. */
export interface BoundCount {
  readonly resource: GPUBufferBinding | ParameterSlot;
  readonly word: number;
  readonly max: number;
}

/**
 * Binds a count. A host's count takes a parameter slot, so that one kernel serves both. Throws as `checkCount` does:
 * call it before anything is recorded.
 */
export function bindCount(recorder: Recorder, count: Count): BoundCount {
  checkCount(recorder.gpu.device, count);
  if (typeof count === "number") {
    return { resource: recorder.parameters([count]), word: 0, max: count };
  }
  const { resource, lead } = bindView({ ...count, length: 1 });
  return { resource, word: lead, max: count.max };
}

/**
 * WGSL `read_count()`: the kernel declares `count_words` at the binding of its choice, and its parameters hold
 * `count_word` and `max_count`.
 */
export const readCount = (binding: number): Fragment => ({
  name: "read count",
  code: /* wgsl */ `
@group(0) @binding(${binding}) var<storage, read> count_words: array<u32>;

fn read_count(word: u32, most: u32) -> u32 {
  return min(count_words[word], most);
}
`,
});
