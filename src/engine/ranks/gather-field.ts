import { wholeBox } from "../../core/box.ts";
import { putValues } from "../../core/box-values.ts";
import { arrayOf, type TypedArray } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, valueCount, valueDims } from "../../core/grid.ts";
import { ownValues } from "./block-values.ts";
import type { RankedData } from "./ranked-data.ts";
import { type RankedRun, withoutMargin } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";

/** The whole of a field on rank 0; undefined on the others. */
export async function gatherField(
  { communicator, data, job, watch }: RankedRun,
  part: OwnPart,
): Promise<Field | undefined> {
  const { field } = withoutMargin(data, part);
  const { name } = field;
  job.progress(0, `Gathering ${name}`);
  const parts = await communicator.gather<TypedArray>(field.data, 0);
  if (!parts) return undefined;
  const { components, centering, dtype } = field;
  return { name, components, centering, dtype, data: watch.pack(() => joined(data, field, parts)) };
}

/** The whole's values: each rank's are put where its block is. */
function joined(
  { grid, shares }: Pick<RankedData, "shares"> & { readonly grid: Grid },
  { dtype, centering, components }: Field,
  parts: readonly TypedArray[],
): Field["data"] {
  const whole = new (arrayOf(dtype))(valueCount(grid, centering) * components);
  const all = wholeBox(valueDims(grid, centering));
  for (const [rank, values] of parts.entries()) {
    putValues(whole, all, values, ownValues(grid, shares[rank], centering), components);
  }
  return whole;
}
