import type { TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import type { JobContext } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { Yielder } from "../bytes/yielder.ts";
import { badFile } from "../failure.ts";
import { PointSetBuilder } from "../points.ts";
import type { Source } from "../source.ts";
import { readAsciiElement } from "./ascii.ts";
import { readBinaryElement } from "./binary.ts";
import { type PlyElement, readHeader } from "./header.ts";

/**
 * Reads the vertices of a PLY file, ASCII or binary of either order: x, y and z (0 if missing) are the points,
 * the other properties their columns, each in its type. Lists and other elements are left out with a note.
 */
export async function readPly(source: Source, job: JobContext): Promise<PointSet> {
  const cursor = new ByteCursor(source, new Yielder(job, `Reading ${source.name}`));
  const { encoding, elements } = await readHeader(cursor);
  const at = elements.findIndex(({ name }) => name === "vertex");
  if (at < 0) throw badFile(source.name, "header", "there is no element called vertex.");
  const read = (element: PlyElement, keep: boolean) =>
    encoding === "ascii"
      ? readAsciiElement(cursor, element, keep)
      : readBinaryElement(cursor, element, encoding, keep);
  for (const element of elements.slice(0, at)) await read(element, false);
  const vertex = elements[at];
  const builder = new PointSetBuilder(source.name);
  const values = await read(vertex, true);

  const axes = ["x", "y", "z"].map((axis) => values.find(({ name }) => name === axis));
  if (!axes[0] || !axes[1])
    throw badFile(source.name, "header", "the element vertex lacks the properties x and y.");
  for (const property of values) if (!axes.includes(property)) builder.add(property.name, 1, property.data);
  for (const { name, count } of vertex.properties)
    if (count) builder.note(`The list “${name}” was left out.`);
  for (const { name, count } of elements)
    if (name !== "vertex" && count > 0)
      builder.note(`Only the points are read: ${formatCount(count)} elements “${name}” were left out.`);
  const [x, y, z] = axes.map((axis) => axis?.data);
  return builder.build(interleaved(vertex.count, [x, y, z]));
}

function interleaved(count: number, axes: readonly (TypedArray | undefined)[]): Float64Array {
  const positions = new Float64Array(3 * count);
  axes.forEach((values, axis) => {
    if (values) for (let i = 0; i < count; i++) positions[3 * i + axis] = Number(values[i]);
  });
  return positions;
}
