import type { UniformGrid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { type FieldLayout, layoutOf } from "./layout.ts";
import { type NpyHeader, readNpyHeader } from "./read-npy.ts";
import { valuesOf } from "./values.ts";

/** Points of an array have no positions of their own. */
export const numberedGrid = ({ dims }: FieldLayout): UniformGrid => ({
  kind: "uniform",
  dims,
  origin: [0, 0, 0],
  spacing: [1, 1, 1],
});

export const numberedNote = "NumPy's arrays describe no grid: points are 1 apart, from 0 on.";

/** What is said of how an array's axes were taken. */
export function* notesOf({ lengths, isFortranOrder }: NpyHeader, { components, isPlanar }: FieldLayout) {
  if (isFortranOrder && lengths.length > 1)
    yield "It is stored in Fortran's order, so that its first axis is x.";
  if (components > 1)
    yield `Its ${isPlanar === isFortranOrder ? "last" : "first"} axis is taken as ${components} components.`;
}

/** Opens a .npy file of up to three axes, and one of components. The field is called “values”. */
export async function readNpyField(source: Source, job: JobContext): Promise<StoredData> {
  const header = await readNpyHeader(source);
  const layout = layoutOf(source.name, header);
  const builder = new DataSetBuilder(source.name, numberedGrid(layout));
  const { components, values } = await valuesOf(source, header, layout, job);
  builder.add("values", "node", components, values);
  builder.note(numberedNote);
  for (const note of notesOf(header, layout)) builder.note(note);
  return builder.build();
}
