import { dtypeOf, fitsF32, type TypedArray } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, valueCount, valueDims } from "../../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../../core/job.ts";
import { extremesOf, levelOf } from "../../core/levels.ts";
import { allocateChecked } from "../device/allocate.ts";
import type { GpuContext } from "../device/context.ts";
import { sendF32 } from "../device/transfer.ts";
import type { GpuField } from "./gpu-field.ts";

/** Milliseconds of sending after which other events may run. */
const yieldInterval = 12;

/**
 * Midpoint of each component's finite range where the data is wider than f32 and varies little around a large
 * value (a pressure of 101325.00 … 101325.02, a projected coordinate); zero elsewhere. Of a part of a field, those of the whole.
 */
export function centeringOffsets({
  data,
  components,
  levels,
}: Pick<Field, "data" | "components" | "levels">): readonly number[] {
  if (levels) return levels;
  if (fitsF32(dtypeOf(data))) return new Array<number>(components).fill(0);
  return extremesOf(data, components).map(levelOf);
}

/**
 * Sends a field to the GPU in chunks, so that other events run in between. `offsets` are those of a whole that the
 * field is a part of. Throws TooLarge, OutOfMemory, Cancelled.
 */
export async function uploadField(
  gpu: GpuContext,
  grid: Grid,
  field: Field,
  job: JobContext,
  offsets: readonly number[] = centeringOffsets(field),
): Promise<GpuField> {
  const { name, centering, components, data } = field;
  const count = valueCount(grid, centering);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const what = `the field “${name}”`;
  const buffer = await allocateChecked(gpu, what, what, count * components * 4, usage);
  const sent = { name, centering, components, dims: valueDims(grid, centering), count, buffer, offsets };
  try {
    await writeField(gpu, sent, data, job);
    return sent;
  } catch (error) {
    buffer.release();
    throw error;
  }
}

/** Overwrites a field's values on the GPU, its offsets taken off, in chunks as `uploadField`. Throws Cancelled. */
export async function writeField(
  gpu: GpuContext,
  { name, components, count, buffer: { buffer }, offsets }: GpuField,
  data: TypedArray,
  job: JobContext,
): Promise<void> {
  const isDirect = data instanceof Float32Array && components === 1;
  let breath = performance.now();
  for (let c = 0; c < components; c++) {
    const fill = (part: Float32Array, first: number) => {
      if (isDirect) part.set(data.subarray(first, first + part.length));
      else convertPlane(data, components, c, first, part.length, offsets[c], part);
    };
    checkCancelled(job, `Sending the field “${name}” to the GPU`);
    await sendF32(gpu, buffer, c * count * 4, count, fill, async (sent) => {
      job.progress((c * count + sent) / (count * components), `Sending ${name} to the GPU`);
      if (performance.now() - breath > yieldInterval) {
        await yieldToEventLoop();
        breath = performance.now();
      }
      checkCancelled(job, `Sending the field “${name}” to the GPU`);
    });
  }
  gpu.countUpload(4 * components * count);
}

function convertPlane(
  data: TypedArray,
  components: number,
  component: number,
  first: number,
  count: number,
  offset: number,
  out: Float32Array,
): void {
  let at = first * components + component;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let i = 0; i < count; i++, at += components) out[i] = Number(data[at]) - offset;
  } else {
    for (let i = 0; i < count; i++, at += components) out[i] = data[at] - offset;
  }
}

/** A sentence where f32 cannot hold the stored values exactly; undefined where it can. */
export function precisionNote(field: Field): string | undefined {
  if (fitsF32(field.dtype)) return undefined;
  return `“${field.name}” is ${field.dtype}; the GPU computes with f32, about 7 significant digits${
    centeringOffsets(field).some((offset) => offset !== 0)
      ? ", after its mean level is taken off, so that small variations survive"
      : ""
  }.`;
}
