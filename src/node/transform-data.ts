/** What `crinkle transform` reads, transforms and writes: fields of a grid, or arrays of any number of axes. */
import { arrayOf, bytesPerElement, type DType, type TypedArray } from "../core/dtype.ts";
import type { Field } from "../core/field.ts";
import { type Grid, valueDims } from "../core/grid.ts";
import type { IndexMap } from "../core/hypercube/index-map.ts";
import { axesLifted } from "../core/hypercube/lifted.ts";
import { gridOfResult } from "../core/hypercube/result-grid.ts";
import { type ElementTypeName, elementTypeOf } from "../core/hypercube/shape.ts";
import { badArgument } from "../core/primitives/checks.ts";
import { isNpy, type NpyArray, type NpyHeader, readNpy, readNpyHeader } from "../data/npy/read-npy.ts";
import type { RawOptions } from "../data/raw/describe.ts";
import { dtypeOfNpy, npyDescription, typeOfNpy, writeNpyArray } from "../data/write/npy.ts";
import { fieldsToTransform } from "../engine/fields-to-transform.ts";
import { gridOfArray } from "../engine/grid-of-array.ts";
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
  return gridInput(grid, fieldsToTransform(fields, wanted ?? null, extension === ".npy"), out);
}

function gridInput(grid: Grid, fields: readonly Field[], out: string): TransformInput {
  const [{ centering }] = fields;
  return {
    lengths: valueDims(grid, centering),
    type: typeOf(fields),
    arrays: fields,
    async write(map, results) {
      const made = fields.map((field, k): Field => ({ ...field, data: results[k] as Field["data"] }));
      await writeTransformed(out, grid, map, made);
    },
  };
}

/** The type of an element of all fields, if it is one number of the same type. */
export const typeOf = (fields: readonly Omit<Field, "data">[]): ElementTypeName | undefined =>
  fields.every(({ dtype, components }) => dtype === fields[0].dtype && components === 1)
    ? elementTypeOf(fields[0].dtype)
    : undefined;

/** Writes what a map has made of fields of a grid: of several, or on a grid of the result's, where the file is no .npy. */
export async function writeTransformed(
  out: string,
  grid: Grid,
  map: IndexMap,
  fields: readonly Field[],
): Promise<void> {
  const [{ centering, components, dtype, data }] = fields;
  if (extensionOf(out, fieldExtensions) !== ".npy") {
    await writeDataSet(out, gridOfResult(grid, centering, map), fields);
    return;
  }
  const { to } = components === 1 ? map : axesLifted(map, components);
  await writeChunks(out, writeNpyArray(npyDescription(dtype), to, bytesOf(data)));
}

async function npyInput(
  name: string,
  array: NpyArray,
  out: string,
  extension: string,
): Promise<TransformInput> {
  const { lengths, bytes } = array;
  const { type, dtype, components } = checkedElements(name, array, extension);
  const Words = arrayOf(dtype);
  const data = new Words(bytes.buffer, bytes.byteOffset, bytes.byteLength / Words.BYTES_PER_ELEMENT);
  return {
    lengths,
    type,
    arrays: [{ name: "values", components, data }],
    write: (map, [result]) => writeTransformedArray(out, array, map, result),
  };
}

/** How the elements of an array are called, and the numbers that they are moved as. */
export interface NpyElements {
  readonly type: ElementTypeName | undefined;
  readonly dtype: DType;
  readonly components: number;
}

/** Throws BadArgument where a file with this extension cannot hold the array. */
export function checkedElements(name: string, head: NpyHeader, extension: string): NpyElements {
  const { description, elementBytes, lengths } = head;
  const dtype = dtypeOfNpy(description);
  if (extension !== ".npy" && (!dtype || lengths.length > 3)) {
    throw badArgument(
      `“${name}” has ${lengths.length} axes of ${description}, which ${extension} files cannot hold.`,
      "Write it as .npy.",
    );
  }
  const moved = dtype ?? wordOf(elementBytes);
  return {
    type: typeOfNpy(description),
    dtype: moved,
    components: elementBytes / bytesPerElement(moved),
  };
}

/** Writes what a map has made of an array: as one of the same type and order, or as a field “values” of a grid. */
export async function writeTransformedArray(
  out: string,
  { description, lengths, isFortranOrder }: NpyHeader,
  map: IndexMap,
  result: TypedArray,
): Promise<void> {
  const dtype = dtypeOfNpy(description);
  if (extensionOf(out, fieldExtensions) === ".npy" || !dtype) {
    // Axes are the memory's, whatever the order in which NumPy counts them.
    await writeChunks(out, writeNpyArray(description, map.to, bytesOf(result), isFortranOrder));
    return;
  }
  const field = {
    name: "values",
    centering: "node",
    components: 1,
    dtype,
    data: result as Field["data"],
  } as const;
  await writeTransformed(out, gridOfArray(lengths), map, [field]);
}

/** The array in a file, without its elements; undefined where the file is none of NumPy's. Throws as `readNpyHeader`. */
export async function npyHeadAt(path: string): Promise<(NpyHeader & { readonly name: string }) | undefined> {
  const source = pathSource(path);
  try {
    return (await isNpy(source)) ? { name: source.name, ...(await readNpyHeader(source)) } : undefined;
  } finally {
    await source.close();
  }
}

/** The integers by which elements of a type are moved that arrays of the host do not have. */
const wordOf = (elementBytes: number) => (({ 1: "u8", 2: "u16", 4: "u32" }) as const)[elementBytes] ?? "u64";

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
