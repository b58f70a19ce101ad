import type { Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { DataSetBuilder } from "../assemble.ts";
import { badFile, unsupported } from "../failure.ts";
import { refuseGrid } from "../refusal.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { readDataArray } from "./data-array.ts";
import { type Extent, extentDims, extentOf, numbersOf } from "./extent.ts";
import { openXmlFile, type XmlFile } from "./file.ts";
import { addFields, type Piece } from "./pieces.ts";
import { childNamed, childrenNamed, type XmlElement } from "./tokenizer.ts";

/**
 * Opens .vti (ImageData), .vtr (RectilinearGrid) and the points of .vtp (PolyData): ascii, inline base64,
 * appended raw and base64; zlib or uncompressed; both header widths and byte orders; any number of pieces. The uncompressed
 * appended raw arrays of a single piece are read when they are asked for.
 */
export async function readXmlVtk(source: Source, job: JobContext): Promise<StoredData | PointSet> {
  const file = await openXmlFile(source, job);
  if (file.type === "PolyData") return (await import("./poly-data.ts")).readPolyData(file);
  if (file.type !== "ImageData" && file.type !== "RectilinearGrid") {
    throw (
      refuseGrid(source.name, file.type) ??
      unsupported(
        `“${source.name}” holds a VTK data set of the kind ${file.type}, which Crinkle does not read.`,
        "It reads ImageData (.vti), RectilinearGrid (.vtr) and PolyData (.vtp).",
      )
    );
  }
  const element = childNamed(file.root, file.type);
  if (!element) throw badFile(source.name, `line ${file.root.line}`, `there is no ${file.type} element.`);
  const pieces = distinctPieces(file, element);
  if (pieces.length === 0) throw badFile(source.name, `line ${element.line}`, `${file.type} has no Piece.`);
  const whole = pieces.length === 1 ? pieces[0].extent : extentOf(file, element, "WholeExtent");
  const grid =
    file.type === "ImageData" ? imageGrid(file, element, whole) : await rectilinearGrid(file, pieces, whole);
  const builder = new DataSetBuilder(source.name, grid);
  await addFields(file, pieces, whole, builder);
  return builder.build();
}

/** The pieces; of several with the same extent, which VTK's writer sometimes produces, only the first. */
function distinctPieces(file: XmlFile, element: XmlElement): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const piece of childrenNamed(element, "Piece")) {
    const extent = extentOf(file, piece, "Extent");
    const key = [...extent.first, ...extent.last].join(" ");
    if (!pieces.has(key)) pieces.set(key, { element: piece, extent });
  }
  return [...pieces.values()];
}

function imageGrid(file: XmlFile, element: XmlElement, whole: Extent): Grid {
  const origin = numbersOf(file, element, "Origin", 3) ?? [0, 0, 0];
  const spacing = numbersOf(file, element, "Spacing", 3) ?? [1, 1, 1];
  const direction = numbersOf(file, element, "Direction", 9);
  if (direction?.some((value, i) => Math.abs(value - (i % 4 === 0 ? 1 : 0)) > 1e-9)) {
    throw unsupported(
      `“${file.source.name}” is rotated in space: its Direction is ${direction.join(" ")}.`,
      "Crinkle reads images along the coordinate axes; resample it, or set its Direction to the identity.",
    );
  }
  const at = (axis: number) => origin[axis] + whole.first[axis] * spacing[axis];
  return {
    kind: "uniform",
    dims: extentDims(whole),
    origin: [at(0), at(1), at(2)],
    spacing: [spacing[0], spacing[1], spacing[2]],
  };
}

/** Puts the coordinates of all pieces together; each axis must be covered. */
async function rectilinearGrid(file: XmlFile, pieces: readonly Piece[], whole: Extent): Promise<Grid> {
  const dims = extentDims(whole);
  const axes: Float64Array[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const parts: AxisPart[] = [];
    for (const { element, extent } of pieces) {
      const from = extent.first[axis] - whole.first[axis];
      const count = extent.last[axis] - extent.first[axis] + 1;
      if (parts.some((part) => part.from === from && part.values.length === count)) continue;
      parts.push({ from, values: await readAxis(file, element, axis, count) });
    }
    axes.push(joinAxis(file, parts, dims[axis], axis));
  }
  return { kind: "rectilinear", dims, axes: [axes[0], axes[1], axes[2]] };
}

interface AxisPart {
  readonly from: number;
  readonly values: Float64Array;
}

function joinAxis(file: XmlFile, parts: readonly AxisPart[], length: number, axis: number): Float64Array {
  if (parts.length === 1 && parts[0].values.length === length) return parts[0].values;
  let reached = 0;
  const ordered = [...parts].sort((a, b) => a.from - b.from);
  for (const { from, values } of ordered) {
    if (from > reached) break;
    reached = Math.max(reached, from + values.length);
  }
  if (reached !== length) {
    throw badFile(
      file.source.name,
      "header",
      `its pieces do not cover its ${length} points along ${"xyz"[axis]}.`,
    );
  }
  const joined = new Float64Array(length);
  for (const { from, values } of ordered) joined.set(values, from);
  return joined;
}

async function readAxis(
  file: XmlFile,
  piece: XmlElement,
  axis: number,
  count: number,
): Promise<Float64Array> {
  const arrays = childrenNamed(childNamed(piece, "Coordinates") ?? piece, "DataArray");
  const what = `the ${"xyz"[axis]} coordinates`;
  if (arrays.length !== 3) {
    throw badFile(
      file.source.name,
      `line ${piece.line}`,
      `a rectilinear grid needs three arrays of coordinates, but has ${arrays.length}.`,
    );
  }
  const values = await readDataArray(file, arrays[axis], count, what);
  return values instanceof Float64Array ? values : Float64Array.from(values as ArrayLike<number>, Number);
}
