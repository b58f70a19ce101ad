import { CrinkleError } from "../../core/errors.ts";
import type { Grid, Triple } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { isDeferred } from "../bytes/deferred.ts";
import { unsupported } from "../failure.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { type FieldLayout, layoutOf } from "./layout.ts";
import { type NpyHeader, readNpyHeader } from "./read-npy.ts";
import { notesOf, numberedGrid, numberedNote } from "./reader.ts";
import { valuesOf } from "./values.ts";
import { openEntry, readZip } from "./zip.ts";

const axisNames = ["x", "y", "z"];

/** One of the archive's arrays. */
interface Entry {
  readonly name: string;
  readonly source: Source;
  readonly header: NpyHeader;
}

interface FieldEntry extends Entry {
  readonly layout: FieldLayout;
}

/**
 * Opens a .npz archive: the arrays that have the shape of its largest one are the fields. Arrays of one axis called x, y and z, as long as
 * the grid is wide, are the coordinates of its points.
 */
export async function readNpz(source: Source, job: JobContext): Promise<StoredData> {
  const entries = await unpack(source, job);
  const fields = entries.flatMap((entry) => fieldOf(entry));
  const points = ({ layout: { dims } }: FieldEntry) => dims[0] * dims[1] * dims[2];
  const largest = fields.reduce<FieldEntry | undefined>(
    (best, entry) => (best && points(best) >= points(entry) ? best : entry),
    undefined,
  );
  if (!largest) {
    throw unsupported(
      `“${source.name}” has no array of numbers that is a field${listed(entries)}.`,
      "Save arrays of up to three axes, and a fourth of components.",
    );
  }
  const { dims } = largest.layout;
  const axes = await axesOf(entries, dims, job);
  const grid: Grid = axes ? { kind: "rectilinear", dims, axes } : numberedGrid(largest.layout);
  const builder = new DataSetBuilder(source.name, grid);
  const others: string[] = [];
  for (const entry of entries) {
    const field = fields.find(({ name }) => name === entry.name);
    if (field?.layout.dims.every((length, axis) => length === dims[axis])) {
      const { components, values } = await valuesOf(entry.source, entry.header, field.layout, job);
      builder.add(entry.name, "node", components, values);
      for (const note of notesOf(entry.header, field.layout)) builder.note(`${entry.name}: ${note}`);
    } else if (!(axes && axisNames.includes(entry.name))) others.push(entry.name);
  }
  if (!axes) builder.note(numberedNote);
  if (others.length > 0)
    builder.note(
      `${others.length === 1 ? "An array of another shape was" : "Arrays of other shapes were"} left out: ${others.join(", ")}.`,
    );
  return builder.build();
}

const listed = (entries: readonly Entry[]): string =>
  entries.length === 0 ? "" : `; it has ${entries.map(({ name }) => name).join(", ")}`;

/** What can be a field of some grid. */
function fieldOf(entry: Entry): FieldEntry[] {
  try {
    return [{ ...entry, layout: layoutOf(entry.source.name, entry.header) }];
  } catch (error) {
    if (error instanceof CrinkleError && error.tag === "UnsupportedFormat") return [];
    throw error;
  }
}

/** The arrays of an archive. */
async function unpack(source: Source, job: JobContext): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await readZip(source)) {
    if (!entry.path.endsWith(".npy")) continue;
    try {
      const array = await openEntry(source, entry, job);
      entries.push({
        name: entry.path.slice(0, -".npy".length),
        source: array,
        header: await readNpyHeader(array),
      });
    } catch (error) {
      // Texts and records stand beside numbers in many archives.
      if (!(error instanceof CrinkleError && error.tag === "UnsupportedFormat")) throw error;
    }
  }
  return entries;
}

/** Coordinates of all directions that are not flat, or undefined. */
async function axesOf(
  entries: readonly Entry[],
  dims: Triple,
  job: JobContext,
): Promise<readonly [Float64Array, Float64Array, Float64Array] | undefined> {
  const found: Float64Array[] = [];
  for (const [axis, name] of axisNames.entries()) {
    const entry = entries.find((each) => each.name === name && each.header.lengths.length === 1);
    if (dims[axis] === 1 && !entry) {
      found.push(Float64Array.of(0));
      continue;
    }
    if (!entry || entry.header.lengths[0] !== dims[axis]) return undefined;
    const { values } = await valuesOf(entry.source, entry.header, layoutOf(name, entry.header), job);
    const read = isDeferred(values) ? await values.read(0, values.length, job) : values;
    found.push(Float64Array.from(read as ArrayLike<number | bigint>, Number));
  }
  return isMonotonic(found) ? [found[0], found[1], found[2]] : undefined;
}

/** Whether each axis rises, or falls, throughout. */
const isMonotonic = (axes: readonly Float64Array[]): boolean =>
  axes.every((axis) => {
    const sign = Math.sign((axis[1] ?? 1) - axis[0]);
    return sign !== 0 && axis.every((value, i) => i === 0 || (value - axis[i - 1]) * sign > 0);
  });
