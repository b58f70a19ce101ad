/** Index files of data that several ranks have written in pieces: .pvti, .pvtr and .pvtp. */
import type { Box } from "../../core/box.ts";
import type { DType } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { Chunks } from "./chunks.ts";
import { encode, escapeXml, fileHead, vtkTypes } from "./vtk-appended.ts";
import { activeArrays, extentBetween, extentOf, imageGeometry } from "./vtk-grid.ts";

/** A file with a box of a grid's nodes, and with the cells between them. */
export interface GridPiece {
  /** Its name beside the index. */
  readonly source: string;
  /** The last ones along each direction are the first of the next piece. */
  readonly nodes: Box;
}

/** An index of fields' pieces. Throws BadArgument for .pvti of a rectilinear grid. */
export function writeGridIndex(
  format: "pvti" | "pvtr",
  grid: Grid,
  fields: readonly Pick<Field, "name" | "centering" | "components" | "dtype">[],
  pieces: readonly GridPiece[],
): Chunks {
  const isImage = format === "pvti";
  const kind = isImage ? "PImageData" : "PRectilinearGrid";
  const geometry = isImage
    ? ` ${imageGeometry({ name: fields.map(({ name }) => name).join(", "), grid }, format)}`
    : "";
  const section = (element: string, centering: Field["centering"]) => {
    const arrays = fields.filter((field) => field.centering === centering);
    if (arrays.length === 0) return [];
    const lines = arrays.map(({ name, dtype, components }) => arrayOf(name, dtype, components));
    return [`<${element}${activeArrays(arrays)}>`, ...lines, `</${element}>`];
  };
  return indexFile(kind, `WholeExtent="${extentOf(grid)}" GhostLevel="0"${geometry}`, [
    ...section("PPointData", "node"),
    ...section("PCellData", "cell"),
    ...(isImage
      ? []
      : ["<PCoordinates>", ...["x", "y", "z"].map((name) => arrayOf(name, "f64", 1)), "</PCoordinates>"]),
    ...pieces.map(
      ({ source, nodes: { first, end } }) =>
        `<Piece Extent="${extentBetween(
          first,
          end.map((each) => each - 1),
        )}" Source="${escapeXml(source)}"/>`,
    ),
  ]);
}

/** An index of a mesh's pieces, as `writeVtp` writes them, with colours if there are scalars. */
export function writeMeshIndex(scalarName: string | undefined, sources: readonly string[]): Chunks {
  const scalars = scalarName === undefined ? "" : ` Scalars="${escapeXml(scalarName)}"`;
  return indexFile("PPolyData", 'GhostLevel="0"', [
    `<PPointData${scalars} Normals="Normals">`,
    arrayOf("Normals", "f32", 3),
    ...(scalarName === undefined ? [] : [arrayOf(scalarName, "f32", 1), arrayOf("Colors", "u8", 3)]),
    "</PPointData>",
    "<PPoints>",
    arrayOf("Points", "f32", 3),
    "</PPoints>",
    ...sources.map((source) => `<Piece Source="${escapeXml(source)}"/>`),
  ]);
}

function indexFile(kind: string, attributes: string, lines: readonly string[]): Chunks {
  const all = [...fileHead(kind), `<${kind} ${attributes}>`, ...lines, `</${kind}>`, "</VTKFile>", ""];
  return [encode(all.join("\n"))];
}

const arrayOf = (name: string, dtype: DType, components: number): string =>
  `<PDataArray type="${vtkTypes[dtype]}" Name="${escapeXml(name)}" NumberOfComponents="${components}"/>`;
