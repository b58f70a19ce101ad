import type { Field } from "../../../core/field.ts";
import type { Grid } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import type { GpuContext } from "../../device/context.ts";
import type { GpuField } from "../../fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../../fields/grid-tables.ts";
import { uploadField } from "../../fields/upload.ts";

export interface Uploaded<Fields> {
  readonly grid: Grid;
  readonly tables: GridTables;
  readonly fields: { readonly [name in keyof Fields]: GpuField };
  release(): void;
}

/** A grid's tables and fields on the GPU. */
export async function uploaded<Fields extends Readonly<Record<string, Field>>>(
  gpu: GpuContext,
  grid: Grid,
  host: Fields,
): Promise<Uploaded<Fields>> {
  const tables = createGridTables(gpu, grid, "node");
  const sent = await Promise.all(
    Object.entries(host).map(
      async ([name, field]) => [name, await uploadField(gpu, grid, field, noJob)] as const,
    ),
  );
  const fields = Object.fromEntries(sent) as { [name in keyof Fields]: GpuField };
  const release = () => {
    tables.buffer.release();
    for (const [, field] of sent) field.buffer.release();
  };
  return { grid, tables, fields, release };
}
