import type { TypedArray } from "../../core/dtype.ts";
import { dtypeOf } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { type Centering, type Triple, valueCount } from "../../core/grid.ts";
import type { DataSetBuilder } from "../assemble.ts";
import { allocate } from "../bytes/allocate.ts";
import { canInflateTo } from "../bytes/inflate.ts";
import { badFile, tooShort } from "../failure.ts";
import { componentsOf, openDataArray, readDataArray } from "./data-array.ts";
import { type Extent, extentDims } from "./extent.ts";
import type { XmlFile } from "./file.ts";
import { childNamed, childrenNamed, type XmlElement } from "./tokenizer.ts";

const axes: readonly number[] = [0, 1, 2];

/** A part of the grid with arrays of its own. */
export interface Piece {
  readonly element: XmlElement;
  readonly extent: Extent;
}

const sections: readonly [string, Centering][] = [
  ["PointData", "node"],
  ["CellData", "cell"],
];

/** Opens the fields of all pieces and adds them to the builder; the first piece determines which fields there are. */
export async function addFields(
  file: XmlFile,
  pieces: readonly Piece[],
  whole: Extent,
  builder: DataSetBuilder,
): Promise<void> {
  if (pieces.length > 1) expectCover(file, pieces, whole);
  for (const [section, centering] of sections) {
    const arrays = pieces.map(({ element }) => arraysOf(element, section));
    for (let i = 0; i < arrays[0].length; i++) {
      const head = arrays[0][i];
      const name = head.attributes.get("Name") ?? "";
      if (head.attributes.get("type") === "String" || head.name === "Array") {
        builder.note(`The text array “${name}” was left out.`);
        continue;
      }
      const components = componentsOf(head, file);
      const what = `the field “${name}”`;
      const data =
        pieces.length === 1
          ? await openDataArray(file, head, valueCount(builder.grid, centering) * components, what)
          : await joinPieces(file, pieces, whole, arrays, head, { what, centering, components });
      builder.add(name, centering, components, data);
    }
  }
}

/** Reads one field's array of each piece, and copies it to its place in the whole. */
async function joinPieces(
  file: XmlFile,
  pieces: readonly Piece[],
  whole: Extent,
  arrays: readonly XmlElement[][],
  head: XmlElement,
  { what, centering, components }: { what: string; centering: Centering; components: number },
): Promise<TypedArray> {
  const dims = dimsOf(whole, centering);
  let joined: TypedArray | undefined;
  for (let p = 0; p < pieces.length; p++) {
    const { element: piece, extent } = pieces[p];
    const element = arrays[p].find((array) => array.attributes.get("Name") === head.attributes.get("Name"));
    if (!element || componentsOf(element, file) !== components) {
      throw badFile(
        file.source.name,
        `line ${piece.line}`,
        `this piece lacks ${what}, or has it with a different number of components.`,
      );
    }
    const partDims = dimsOf(extent, centering);
    const part = await readDataArray(
      file,
      element,
      partDims[0] * partDims[1] * partDims[2] * components,
      what,
    );
    if (!joined) {
      const count = dims[0] * dims[1] * dims[2] * components;
      const bytes = count * part.BYTES_PER_ELEMENT;
      if (!canInflateTo(file.source.size, bytes)) {
        throw tooShort(
          { source: file.source, end: file.source.size },
          `${what} needs ${formatCount(bytes)} bytes`,
        );
      }
      joined = allocate(dtypeOf(part), count, what);
    }
    if (dtypeOf(part) !== dtypeOf(joined)) {
      throw badFile(
        file.source.name,
        `line ${element.line}`,
        `${what} has a different type in this piece than in the first.`,
      );
    }
    const at = axes.map((axis) => extent.first[axis] - whole.first[axis]);
    copyBox(part, partDims, joined, dims, [at[0], at[1], at[2]], components);
  }
  return joined ?? allocate("u8", 0, what);
}

function dimsOf(extent: Extent, centering: Centering): Triple {
  const [nx, ny, nz] = extentDims(extent);
  return centering === "node"
    ? [nx, ny, nz]
    : [Math.max(nx - 1, 1), Math.max(ny - 1, 1), Math.max(nz - 1, 1)];
}

function arraysOf(piece: XmlElement, section: string): XmlElement[] {
  const element = childNamed(piece, section);
  if (!element) return [];
  return [...childrenNamed(element, "DataArray"), ...childrenNamed(element, "Array")];
}

const maxPieces = 4096;

/** Throws BadFile unless the pieces lie in the whole, share no cell, and together cover all of its cells. */
function expectCover(file: XmlFile, pieces: readonly Piece[], whole: Extent): void {
  const { name } = file.source;
  if (pieces.length > maxPieces) {
    throw badFile(name, "header", `it has ${pieces.length} pieces; Crinkle joins up to ${maxPieces}.`);
  }
  let cells = 0;
  pieces.forEach(({ element, extent }, i) => {
    const place = `line ${element.line}`;
    if (
      !axes.every((axis) => extent.first[axis] >= whole.first[axis] && extent.last[axis] <= whole.last[axis])
    ) {
      throw badFile(name, place, "this piece reaches beyond the WholeExtent.");
    }
    if (pieces.slice(0, i).some((other) => shareCells(extent, other.extent))) {
      throw badFile(name, place, "this piece overlaps another.");
    }
    cells += cellCount(extent);
  });
  if (cells !== cellCount(whole)) {
    throw badFile(
      name,
      "header",
      `its ${pieces.length} pieces have ${formatCount(cells)} cells, the whole has ${formatCount(cellCount(whole))}.`,
    );
  }
}

function shareCells(a: Extent, b: Extent): boolean {
  return axes.every((axis) => {
    const from = Math.max(a.first[axis], b.first[axis]);
    const to = Math.min(lastCell(a, axis), lastCell(b, axis));
    return from < to;
  });
}

/** The end of the extent's cells along an axis; a flat direction counts one layer. */
function lastCell(extent: Extent, axis: number): number {
  return Math.max(extent.last[axis], extent.first[axis] + 1);
}

function cellCount(extent: Extent): number {
  return axes.reduce((product, axis) => product * (lastCell(extent, axis) - extent.first[axis]), 1);
}

/** Copies a box of values into a larger one with its first corner at `at`, row by row. */
function copyBox(
  from: TypedArray,
  dims: Triple,
  to: TypedArray,
  toDims: Triple,
  at: Triple,
  components: number,
): void {
  const row = dims[0] * components;
  for (let z = 0; z < dims[2]; z++) {
    for (let y = 0; y < dims[1]; y++) {
      const source = (z * dims[1] + y) * row;
      const target = (((at[2] + z) * toDims[1] + at[1] + y) * toDims[0] + at[0]) * components;
      (to as Float64Array).set((from as Float64Array).subarray(source, source + row), target);
    }
  }
}
