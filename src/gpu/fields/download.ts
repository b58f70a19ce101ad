import type { Field } from "../../core/field.ts";
import type { GpuContext } from "../device/context.ts";
import { readF32 } from "../device/transfer.ts";
import type { GpuField } from "./gpu-field.ts";

/** Reads a field back: planes become interleaved components, offsets are added. Waits for the GPU. */
export async function downloadField(gpu: GpuContext, field: GpuField): Promise<Field> {
  const { name, centering, components, count, offsets } = field;
  const planes = await readF32(gpu, field.buffer, 0, components * count);
  if (components === 1 && offsets[0] === 0) {
    return { name, centering, components, dtype: "f32", data: planes };
  }
  const data = new Float32Array(planes.length);
  for (let c = 0; c < components; c++) {
    const offset = offsets[c];
    for (let i = 0, at = c * count; i < count; i++, at++) data[i * components + c] = planes[at] + offset;
  }
  return { name, centering, components, dtype: "f32", data };
}
