import type { Field } from "../../core/field.ts";
import { type Centering, type Grid, type Triple, valueCount, valueDims } from "../../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../../core/job.ts";
import { allocateChecked } from "../device/allocate.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
import { sendF32 } from "../device/transfer.ts";
import type { Fragment } from "../shader/fragment.ts";
import type { GpuField } from "./gpu-field.ts";

/** The integers that are kept as they are stored, each with the number that kernels know it by; f32 is 0. */
const storages = { u8: 1, i8: 2, u16: 3, i16: 4 } as const;

export type CompactType = keyof typeof storages;

/**
 * A scalar field of small integers on the GPU, as many bytes a value as in its file: element i (x fastest) is the i-th
 * integer of the buffer, little-endian. Usage: STORAGE | COPY_SRC | COPY_DST.
 */
export interface CompactField {
  readonly name: string;
  readonly centering: Centering;
  readonly components: 1;
  readonly dims: Triple;
  readonly count: number;
  readonly buffer: PooledBuffer;
  readonly dtype: CompactType;
}

/** What surfaces are extracted from and coloured by. */
export type ScalarSource = GpuField | CompactField;

const isCompact = (field: ScalarSource): field is CompactField => "dtype" in field;

/** Whether a field can be kept on the GPU as it is stored. */
export function fitsCompact({ components, dtype }: Field): boolean {
  return components === 1 && dtype in storages;
}

/** What is added to a stored value to give the field's. */
export const offsetOf = (field: ScalarSource, component: number): number =>
  isCompact(field) ? 0 : field.offsets[component];

/** How `storedValue` finds a field's values: 0 for f32. */
export const storageOf = (field: ScalarSource): number => (isCompact(field) ? storages[field.dtype] : 0);

/** `stored_value(word, i, storage)`: element i of an array of which `word` is word `stored_word(i, storage)`. */
export const storedValue: Fragment = {
  name: "stored value",
  code: /* wgsl */ `
fn stored_word(i: u32, storage: u32) -> u32 {
  return i >> select(select(1u, 2u, storage < 3u), 0u, storage == 0u);
}

fn stored_value(word: u32, i: u32, storage: u32) -> f32 {
  if (storage == 0u) {
    return bitcast<f32>(word);
  }
  let bits = select(16u, 8u, storage < 3u);
  let top = word << ((32u - bits) - bits * (i & (32u / bits - 1u)));
  return select(f32(bitcast<i32>(top) >> (32u - bits)), f32(top >> (32u - bits)), (storage & 1u) == 1u);
}
`,
};

/** Milliseconds of sending after which other events may run. */
const yieldInterval = 12;

/** Sends a field that `fitsCompact` as it is stored. Throws TooLarge, OutOfMemory, Cancelled. */
export async function uploadCompact(
  gpu: GpuContext,
  grid: Grid,
  { name, centering, dtype, data }: Field,
  job: JobContext,
): Promise<CompactField> {
  const count = valueCount(grid, centering);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const words = Math.ceil(bytes.length / 4);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const what = `the field “${name}”`;
  const buffer = await allocateChecked(gpu, what, what, words * 4, usage);
  let breath = performance.now();
  const fill = (part: Float32Array, first: number) => {
    const target = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
    target.set(bytes.subarray(4 * first, 4 * first + target.length));
  };
  try {
    await sendF32(gpu, buffer.buffer, 0, words, fill, async (sent) => {
      job.progress(sent / words, `Sending ${name} to the GPU`);
      if (performance.now() - breath > yieldInterval) {
        await yieldToEventLoop();
        breath = performance.now();
      }
      checkCancelled(job, `Sending the field “${name}” to the GPU`);
    });
  } catch (error) {
    buffer.release();
    throw error;
  }
  gpu.countUpload(4 * words);
  const dims = valueDims(grid, centering);
  return { name, centering, components: 1, dims, count, buffer, dtype: dtype as CompactType };
}
