import { type CellLocation, interpolate } from "../../core/cell-location.ts";
import type { Field } from "../../core/field.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import type { FieldValue } from "../derived.ts";
import type { Session } from "../session.ts";

/** All loaded and derived fields whose values are here, by their names in expressions. */
export function namedFields(
  session: Session,
): readonly { readonly name: string; readonly value: FieldValue }[] {
  const derived = session.derived.all();
  const hidden = new Set(derived.map(({ name }) => name));
  const loaded = session.data.hasValues ? session.data.dataSet.fields : [];
  return [
    ...loaded.flatMap((field) =>
      hidden.has(field.name) ? [] : [{ name: field.name, value: session.data.value(field) }],
    ),
    ...derived.flatMap(({ name, value }) => (value.kind === "ranks" ? [] : [{ name, value }])),
  ];
}

/** The names of all others. */
export function namesElsewhere({ data, derived }: Session): readonly string[] {
  const loaded = data.hasValues ? [] : data.dataSet.fields.map(({ name }) => name);
  const made = derived.all().flatMap(({ name }) => (derived.isElsewhere(name) ? [name] : []));
  return [...new Set([...loaded, ...made])];
}

/**
 * The components of each field at a position. Fields that are only on the GPU are read in one small copy. Throws
 * DeviceLost.
 */
export async function valuesOf(
  gpu: GpuContext | undefined,
  fields: readonly FieldValue[],
  place: CellLocation,
): Promise<readonly (readonly number[])[]> {
  const remote = fields.flatMap((value) => (value.kind === "gpu" ? [value.field] : []));
  const words = gpu && remote.length > 0 ? await gather(gpu, remote, place) : new Float32Array(0);
  let first = 0;
  return fields.map((value) => {
    if (value.kind === "host") return hostValues(value.field, place);
    const { components, offsets } = value.field;
    const count = elementsOf(value.field, place).length;
    const values = Array.from({ length: components }, (_, c) => {
      const at = first + c * count;
      const element = (corner: number) => words[at + corner] + offsets[c];
      return count === 1 ? element(0) : interpolate(place, element);
    });
    first += components * count;
    return values;
  });
}

function hostValues(field: Field, place: CellLocation): readonly number[] {
  const { data, components } = field;
  const elements = elementsOf(field, place);
  return Array.from({ length: components }, (_, c) => {
    const element = (corner: number) => Number(data[elements[corner] * components + c]);
    return elements.length === 1 ? element(0) : interpolate(place, element);
  });
}

/** The elements to read: the cell, or the surrounding nodes. */
function elementsOf({ centering }: Pick<Field, "centering">, place: CellLocation): readonly number[] {
  return centering === "cell" ? [place.cellIndex] : place.nodes;
}

/** The words of these elements, field by field and component by component. */
async function gather(
  gpu: GpuContext,
  fields: readonly GpuField[],
  place: CellLocation,
): Promise<Float32Array> {
  const copies = fields.flatMap((field) =>
    Array.from({ length: field.components }, (_, c) =>
      elementsOf(field, place).map((element) => ({
        buffer: field.buffer.buffer,
        word: c * field.count + element,
      })),
    ).flat(),
  );
  const { COPY_DST, MAP_READ } = GPUBufferUsage;
  const staging = gpu.pool.allocate("probe: values", 4 * copies.length, COPY_DST | MAP_READ);
  try {
    const encoder = gpu.device.createCommandEncoder({ label: "probe: values" });
    for (const [i, { buffer, word }] of copies.entries())
      encoder.copyBufferToBuffer(buffer, 4 * word, staging.buffer, 4 * i, 4);
    gpu.device.queue.submit([encoder.finish()]);
    await gpu.guard(staging.buffer.mapAsync(GPUMapMode.READ));
    return new Float32Array(staging.buffer.getMappedRange().slice(0));
  } finally {
    staging.release();
  }
}
