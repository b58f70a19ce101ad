/** What `crinkle transform` reads, transforms and writes: fields of a grid, or arrays of any number of axes. */
import { arrayOf, bytesPerElement, type TypedArray } from "../core/dtype.ts";
import type { Field } from "../core/field.ts";
import { type Centering, type Grid, valueDims } from "../core/grid.ts";
import type { IndexMap } from "../core/hypercube/index-map.ts";
import { axesLifted } from "../core/hypercube/lifted.ts";
import { gridOfResult } from "../core/hypercube/result-grid.ts";
import { type ElementTypeName, elementTypeOf } from "../core/hypercube/shape.ts";
import { badArgument } from "../core/primitives/checks.ts";
import { isNpy, type NpyArray, readNpy } from "../data/npy/read-npy.ts";
import type { RawOptions } from "../data/raw/describe.ts";
import { dtypeOfNpy, npyDescription, writeNpyArray } from "../data/write/npy.ts";
import type { Terminal } from "./command-line/command.ts";
import { pathSource } from "./path-source.ts";
import { readFile } from "./read-file.ts";
import { extensionOf, fieldExtensions, writeChunks, writeDataSet } from "./write-file.ts";

/** Values that a map moves: `components` of an element lie side by side. */
export interface Moved {
  readonly name: string;
  readonly components: number;
  readonly data: TypedArray;
}

/** Arrays of one shape that were read, with what it takes to write what becomes of them. */
export interface TransformInput {
  /** The fastest first. */
  readonly lengths: readonly number[];
  readonly type: ElementTypeName | undefined;
  readonly arrays: readonly Moved[];
  write(map: IndexMap, results: readonly TypedArray[]): Promise<void>;
}

/** Reads a file, or the field of it that is wanted, for a result that goes to `out`. Throws CrinkleError. */
export async function readTransformInput(
  path: string,
  out: string,
  wanted: string | undefined,
  terminal: Terminal,
  raw: RawOptions | undefined,
): Promise<TransformInput> {
  const extension = extensionOf(out, fieldExtensions);
  const source = pathSource(path);
  try {
    if (raw === undefined && (await isNpy(source)))
      return npyInput(source.name, await readNpy(source), out, extension);
  } finally {
    await source.close();
  }
  const { grid, fields } = await readFile(path, terminal, raw);
  return gridInput(grid, chosen(fields, wanted, extension), out, extension);
}

/** The fields to transform: the one that is named, or all, which then lie on the grid alike. Throws BadArgument. */
function chosen(fields: readonly Field[], wanted: string | undefined, extension: string): readonly Field[] {
  const names = fields.map(({ name }) => name).join(", ");
  if (wanted !== undefined) {
    const field = fields.find(({ name }) => name === wanted);
    if (field) return [field];
    throw badArgument(`There is no field “${wanted}”.`, `There are ${names || "none"}.`);
  }
  if (fields.length === 0) throw badArgument("The file has no fields.", "Give one that has values.");
  const isAlike = fields.every(({ centering }) => centering === fields[0].centering);
  if (fields.length === 1 || (isAlike && extension !== ".npy")) return fields;
  throw badArgument(
    extension === ".npy"
      ? `A .npy file holds one array, and there are ${names}.`
      : "Some fields lie on nodes, and some on cells.",
    `Choose one by --field: ${names}.`,
  );
}

function gridInput(grid: Grid, fields: readonly Field[], out: string, extension: string): TransformInput {
  const [{ centering, dtype }] = fields;
  return {
    lengths: valueDims(grid, centering),
    type: fields.every((field) => field.dtype === dtype && field.components === 1)
      ? elementTypeOf(dtype)
      : undefined,
    arrays: fields,
    async write(map, results) {
      if (extension === ".npy") {
        const [{ components }] = fields;
        const { to } = components === 1 ? map : axesLifted(map, components);
        await writeChunks(out, writeNpyArray(npyDescription(dtype), to, bytesOf(results[0])));
        return;
      }
      await writeOnGrid(out, grid, centering, map, fields, results);
    },
  };
}

async function writeOnGrid(
  out: string,
  grid: Grid,
  centering: Centering,
  map: IndexMap,
  fields: readonly Omit<Field, "data">[],
  results: readonly TypedArray[],
): Promise<void> {
  const made = fields.map((field, k) => ({ ...field, data: results[k] }));
  await writeDataSet(out, gridOfResult(grid, centering, map), made);
}

function npyInput(name: string, array: NpyArray, out: string, extension: string): TransformInput {
  const { description, elementBytes, lengths, isFortranOrder, bytes } = array;
  const dtype = dtypeOfNpy(description);
  if (extension !== ".npy" && (!dtype || lengths.length > 3)) {
    throw badArgument(
      `“${name}” has ${lengths.length} axes of ${description}, which ${extension} files cannot hold.`,
      "Write it as .npy.",
    );
  }
  const unit = wordOf(elementBytes);
  const Words = dtype ? arrayOf(dtype) : arrayOf(unit);
  const components = elementBytes / bytesPerElement(dtype ?? unit);
  const data = new Words(bytes.buffer, bytes.byteOffset, bytes.byteLength / Words.BYTES_PER_ELEMENT);
  return {
    lengths,
    type: dtype && elementTypeOf(dtype),
    arrays: [{ name: "values", components, data }],
    async write(map, [result]) {
      if (extension === ".npy") {
        // Axes are the memory's, whatever the order in which NumPy counts them.
        await writeChunks(out, writeNpyArray(description, map.to, bytesOf(result), isFortranOrder));
        return;
      }
      const [nx, ny = 1, nz = 1] = lengths;
      const grid = { kind: "uniform", dims: [nx, ny, nz], origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
      const field = { name: "values", centering: "node", components: 1, dtype: dtype! } as const;
      await writeOnGrid(out, grid, "node", map, [field], [result]);
    },
  };
}

/** The integers by which elements of a type are moved that arrays of the host do not have. */
const wordOf = (elementBytes: number) => (({ 1: "u8", 2: "u16", 4: "u32" }) as const)[elementBytes] ?? "u64";

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
