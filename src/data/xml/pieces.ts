import type { TypedArray } from "../../core/dtype.ts";
import { dtypeOf } from "../../core/dtype.ts";
import { type Centering, type Triple, valueCount, valueDims } from "../../core/grid.ts";
import type { DataSetBuilder } from "../assemble.ts";
import { allocate } from "../bytes/allocate.ts";
import { badFile } from "../failure.ts";
import { componentsOf, readDataArray } from "./data-array.ts";
import { type Extent, extentDims } from "./extent.ts";
import type { XmlFile } from "./file.ts";
import { childNamed, childrenNamed, type XmlElement } from "./tokenizer.ts";

/** A part of the grid with arrays of its own. */
export interface Piece {
  readonly element: XmlElement;
  readonly extent: Extent;
}

const sections: readonly [string, Centering][] = [
  ["PointData", "node"],
  ["CellData", "cell"],
];

/** Reads the fields of all pieces and adds them to the builder; the first piece tells which fields there are. */
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
      if (pieces.length === 1) {
        const data = await readDataArray(file, head, valueCount(builder.grid, centering) * components, what);
        builder.add(name, centering, components, data);
        continue;
      }
      let joined: TypedArray | undefined;
      const dims = valueDims(builder.grid, centering);
      for (let p = 0; p < pieces.length; p++) {
        const element = arrays[p].find(
          (array) => array.attributes.get("Name") === head.attributes.get("Name"),
        );
        if (!element || componentsOf(element, file) !== components) {
          throw badFile(
            file.source.name,
            `line ${pieces[p].element.line}`,
            `this piece lacks ${what}, or has it with other components.`,
          );
        }
        const { extent } = pieces[p];
        const partDims = valueDims(
          { kind: "uniform", dims: extentDims(extent), origin: [0, 0, 0], spacing: [1, 1, 1] },
          centering,
        );
        const part = await readDataArray(
          file,
          element,
          partDims[0] * partDims[1] * partDims[2] * components,
          what,
        );
        joined ??= allocate(dtypeOf(part), dims[0] * dims[1] * dims[2] * components, what);
        if (dtypeOf(part) !== dtypeOf(joined)) {
          throw badFile(
            file.source.name,
            `line ${element.line}`,
            `${what} has another type in this piece than in the first.`,
          );
        }
        const at: Triple = [0, 1, 2].map(
          (axis) => extent.first[axis] - whole.first[axis],
        ) as unknown as Triple;
        copyBox(part, partDims, joined, dims, at, components);
      }
      if (joined) builder.add(name, centering, components, joined);
    }
  }
}

function arraysOf(piece: XmlElement, section: string): XmlElement[] {
  const element = childNamed(piece, section);
  if (!element) return [];
  return [...childrenNamed(element, "DataArray"), ...childrenNamed(element, "Array")];
}

/** Throws BadFile unless every piece lies in the whole and their cells, counted once, are all of its cells. */
function expectCover(file: XmlFile, pieces: readonly Piece[], whole: Extent): void {
  let cells = 0;
  for (const { element, extent } of pieces) {
    const inside = [0, 1, 2].every(
      (axis) => extent.first[axis] >= whole.first[axis] && extent.last[axis] <= whole.last[axis],
    );
    if (!inside)
      throw badFile(file.source.name, `line ${element.line}`, "this piece reaches beyond the WholeExtent.");
    cells += cellCount(extent);
  }
  if (cells !== cellCount(whole)) {
    throw badFile(
      file.source.name,
      "header",
      `its ${pieces.length} pieces have ${cells} cells, the whole has ${cellCount(whole)}.`,
    );
  }
}

function cellCount(extent: Extent): number {
  return extentDims(extent).reduce((product, n) => product * Math.max(n - 1, 1), 1);
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
