import type { DataSet } from "../core/field.ts";
import { noJob } from "../core/job.ts";
import { isPointSet, type PointSet } from "../core/point-set.ts";
import { readData as readSource } from "../data/read.ts";
import { blobSource, bytesSource, type Source } from "../data/source.ts";
import type { GridData, PointData, RawDescription, ReadDataOptions } from "./data-api.ts";
import { badArgument, shown } from "./refusal.ts";

/**
 * Reads a file of any format that Crinkle knows, which its first bytes determine. A Blob (in Node: `fs.openAsBlob(path)`) is read
 * piece by piece. Rejects with BadArgument, UnsupportedFormat, UnknownFormat, BadFile, TooLarge, OutOfMemory or Cancelled.
 */
export async function readData(
  file: Blob | Uint8Array,
  options: ReadDataOptions = {},
): Promise<GridData | PointData> {
  const { name = nameOf(file), raw, companions = {}, signal = noJob.signal, onProgress } = options;
  const job = { signal, progress: onProgress ?? noJob.progress };
  const data = await readSource(sourceOf(file, name), job, {
    raw: raw && { ...rawDefaults, ...raw },
    companions: (other) => (other in companions ? sourceOf(companions[other], other) : undefined),
  });
  return isPointSet(data) ? pointData(data) : gridData(data);
}

const rawDefaults = {
  byteOrder: "little",
  components: 1,
  headerBytes: 0,
  spacing: [1, 1, 1],
  origin: [0, 0, 0],
} satisfies Partial<RawDescription>;

const nameOf = (file: Blob | Uint8Array) =>
  "name" in file && typeof file.name === "string" ? file.name : "data";

function sourceOf(file: unknown, name: string): Source {
  if (file instanceof Uint8Array) return bytesSource(file, name);
  if (typeof Blob !== "undefined" && file instanceof Blob) return blobSource(file, name);
  throw badArgument(`“${name}” is ${shown(file)}.`, "Give a File, a Blob or a Uint8Array.");
}

function gridData({ name, grid, fields, notes }: DataSet): GridData {
  const { dims } = grid;
  return {
    kind: "grid",
    name,
    grid:
      grid.kind === "uniform" ? { dims, origin: grid.origin, spacing: grid.spacing } : { axes: grid.axes },
    fields: Object.fromEntries(
      fields.map(({ name: field, data, components, centering }) => [field, { data, components, centering }]),
    ),
    notes,
  };
}

const pointData = ({ name, dimensions, positions, columns, notes }: PointSet): PointData => ({
  kind: "points",
  name,
  dimensions,
  positions,
  columns: Object.fromEntries(
    columns.map(({ name: column, components, data }) => [column, { components, data }]),
  ),
  notes,
});
