import { noJob } from "../core/job.ts";
import { samplingFields } from "../core/sample-fields.ts";
import { withPauses } from "../core/steps.ts";
import type { HostData } from "./api.ts";
import { hostFieldsOf, readFields } from "./read-fields.ts";
import { readGrid } from "./read-grid.ts";
import { badArgument, requireObject, shown } from "./refusal.ts";

/** Values of fields at positions. */
export interface Sampled {
  /** 1 for positions in the grid, 0 for others. */
  readonly inside: Uint8Array<ArrayBuffer>;
  /** `components` values of each position, which are neighbours; NaN outside the grid. */
  readonly fields: Readonly<
    Record<string, { readonly data: Float64Array<ArrayBuffer>; readonly components: number }>
  >;
}

/**
 * Takes the values of arrays at positions in the grid's units: x, y and z of each, one after the other. Those of nodes are
 * interpolated trilinearly, those of cells are their cell's. Rejects with BadArgument.
 */
export type Sample = (data: HostData, positions: ArrayLike<number>) => Promise<Sampled>;

export async function sample(data: unknown, positions: unknown): Promise<Sampled> {
  const { grid: gridInput, fields } = requireObject(data, "The data of sample", ["grid", "fields"]);
  const grid = readGrid(gridInput);
  const inputs = readFields(fields);
  if (inputs.kind === "buffer")
    throw badArgument("The fields of sample are GPU buffers.", "Give arrays, as derive returns of arrays.");
  const { inside, columns } = await withPauses(
    samplingFields(grid, hostFieldsOf(grid, inputs), requirePositions(positions)),
    noJob,
    "Taking the values",
  );
  const named = columns.map(({ name, data: values, components }) => [
    name,
    { data: values as Float64Array<ArrayBuffer>, components },
  ]);
  return { inside, fields: Object.fromEntries(named) };
}

function requirePositions(value: unknown): Float64Array {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
  const numbers = isList ? Float64Array.from(value as ArrayLike<number>) : undefined;
  if (numbers && numbers.length % 3 === 0) return numbers;
  throw badArgument(
    numbers ? `The positions are ${numbers.length} numbers.` : `The positions are ${shown(value)}.`,
    "Give an array of x, y and z of each, one after the other.",
  );
}
