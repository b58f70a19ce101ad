import { arrayOf, dtypes, type TypedArray } from "../core/dtype.ts";
import { type Field, makeField } from "../core/field.ts";
import { formatCount } from "../core/format.ts";
import { type Centering, type Grid, valueCount } from "../core/grid.ts";
import { badArgument, requireChoice, requireObject, shown } from "./refusal.ts";

interface ShapeInput {
  readonly name: string;
  readonly components: number | undefined;
  readonly centering: Centering | undefined;
}

/** An array that a host program gave, its form checked, its length not yet. */
export interface HostInput extends ShapeInput {
  readonly kind: "host";
  readonly data: TypedArray;
}

/** A GPU buffer that a host program gave, its form checked, its extents not yet. */
export interface BufferInput extends ShapeInput {
  readonly kind: "buffer";
  readonly buffer: GPUBuffer;
  readonly offset: number;
}

/** Fields of one kind. */
export type Inputs =
  | { readonly kind: "host"; readonly fields: readonly HostInput[] }
  | { readonly kind: "buffer"; readonly fields: readonly BufferInput[] };

/** Reads the fields' record: all are arrays, or all are GPU buffers. Throws BadArgument. */
export function readFields(value: unknown): Inputs {
  if (value === null || typeof value !== "object" || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw badArgument(
      `The fields are ${shown(value)}.`,
      "Give an object from names to arrays or GPU buffers.",
    );
  }
  const fields = Object.entries(value).map(([name, one]) => readField(name, one));
  const hosts = fields.filter((field) => field.kind === "host");
  const buffers = fields.filter((field) => field.kind === "buffer");
  if (hosts.length > 0 && buffers.length > 0) {
    throw badArgument(
      `The field “${hosts[0].name}” is an array and “${buffers[0].name}” a GPU buffer.`,
      "Give all fields as arrays, or write the arrays into GPU buffers first.",
    );
  }
  return buffers.length > 0 ? { kind: "buffer", fields: buffers } : { kind: "host", fields: hosts };
}

function readField(name: string, value: unknown): HostInput | BufferInput {
  const what = `The field “${name}”`;
  if (isTypedArray(value))
    return { kind: "host", name, data: value, components: undefined, centering: undefined };
  if (Array.isArray(value) || ArrayBuffer.isView(value)) throw notAnArray(what, value);
  const isBuffer = typeof value === "object" && value !== null && "buffer" in value;
  const keys = isBuffer
    ? ["buffer", "components", "centering", "offset"]
    : ["data", "components", "centering", "buffer"];
  const { data, buffer, components, centering, offset = 0 } = requireObject(value, what, keys);
  const shape: ShapeInput = {
    name,
    components: components === undefined ? undefined : requireComponents(what, components),
    centering:
      centering === undefined ? undefined : requireChoice(centering, `${what}: centering`, ["node", "cell"]),
  };
  if (!isBuffer) {
    if (!isTypedArray(data)) throw notAnArray(what, data);
    return { kind: "host", data, ...shape };
  }
  if (typeof buffer !== "object" || buffer === null || !("mapState" in buffer)) {
    throw badArgument(`${what} has the buffer ${shown(buffer)}.`, "Give a GPUBuffer, or an array as data.");
  }
  if (typeof offset !== "number" || !Number.isInteger(offset) || offset < 0) {
    throw badArgument(`${what} has the offset ${shown(offset)}.`, "Give a number of bytes.");
  }
  return { kind: "buffer", buffer: buffer as GPUBuffer, offset, ...shape };
}

/** A field of the grid, which shares the array given. Throws BadArgument where the length is not what is due. */
export function hostField(grid: Grid, { name, data, components, centering = "node" }: HostInput): Field {
  const count = valueCount(grid, centering);
  const found = components ?? data.length / count;
  if (data.length === 0 || data.length !== count * found || !Number.isInteger(found)) {
    const due = components === undefined ? `a multiple of ${formatCount(count)}` : formatCount(count * found);
    const cells = valueCount(grid, "cell");
    const isCells =
      centering === "node" && data.length > 0 && data.length % (cells * (components ?? 1)) === 0;
    throw badArgument(
      `The field “${name}” has ${formatCount(data.length)} values where the ${centering}s of the grid need ${due}.`,
      isCells
        ? "Say centering: “cell” where it lives in cells."
        : "Check the grid's dims, components and centering.",
    );
  }
  return makeField(grid, name, centering, found, data);
}

/** The arrays among inputs, as fields. Throws as `hostField`. */
export const hostFieldsOf = (grid: Grid, { kind, fields }: Inputs): Field[] =>
  kind === "host" ? fields.map((input) => hostField(grid, input)) : [];

function isTypedArray(value: unknown): value is TypedArray {
  return dtypes.some((dtype) => value instanceof arrayOf(dtype));
}

function requireComponents(what: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw badArgument(`${what} has ${shown(value)} components.`, "Give a positive integer.");
}

const notAnArray = (what: string, value: unknown) =>
  badArgument(
    `${what} is ${shown(value)}.`,
    "Give a typed array of 8 to 64 bits, such as a Float32Array, or a GPU buffer.",
  );
