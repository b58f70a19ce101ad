import { arrayOf, bytesPerElement, dtypeOf, dtypes, type TypedArray } from "../../core/dtype.ts";
import { badMessage } from "../wire/frame.ts";
import type { Data, Value } from "./communicator.ts";
import { CommunicatorError } from "./errors.ts";

/** The maximum size of a value as UTF-8, and the maximum nesting depth of its lists and objects. */
export const maxValueBytes = 2 ** 20;
export const maxValueDepth = 64;

/** Data as bytes with their type: the index of the element type in `dtypes`, or `valueCode`. */
export interface Encoded {
  readonly code: number;
  /** For an array, a view of its own memory. */
  readonly bytes: Uint8Array;
}

/** The bytes hold a value, as JSON in UTF-8. */
export const valueCode = dtypes.length;

export const isTypedArray = (data: Data): data is TypedArray =>
  ArrayBuffer.isView(data) && dtypes.some((dtype) => data instanceof arrayOf(dtype));

export const bytesOf = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/**
 * Throws BadArgument for what JSON would change: undefined, NaN and infinities, bigints, and objects other
 * than plain ones and arrays.
 */
export function encodeData(data: Data, operation: string): Encoded {
  if (isTypedArray(data)) return { code: dtypes.indexOf(dtypeOf(data)), bytes: bytesOf(data) };
  const fault = invalidPartOf(data, 0);
  if (fault) throw notData(operation, fault);
  const bytes = new TextEncoder().encode(textOf(data));
  if (bytes.length > maxValueBytes) {
    throw notData(operation, `a value of ${bytes.length} bytes as JSON; the maximum is ${maxValueBytes}`);
  }
  return { code: valueCode, bytes };
}

/** Data of bytes that another rank sent, as a view if they are aligned. Throws BadMessage. */
export function decodeData({ code, bytes }: Encoded): Data {
  if (code === valueCode) return decodeValue(bytes);
  const dtype = dtypes[code];
  if (dtype === undefined) throw badMessage(`unknown element type ${code}`);
  const width = bytesPerElement(dtype);
  if (bytes.length % width !== 0)
    throw badMessage(`${bytes.length} bytes are not a whole number of ${dtype} elements`);
  const own = bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  return new (arrayOf(dtype))(own.buffer, own.byteOffset, own.length / width);
}

/** A copy that shares no memory. */
export function copyData<D extends Data>(data: D): D {
  return (isTypedArray(data) ? data.slice() : structuredClone(data)) as D;
}

/** JSON.stringify, but keeps −0. */
function textOf(value: Value): string {
  if (Object.is(value, -0)) return "-0";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(textOf).join()}]`;
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${textOf(field)}`);
  return `{${fields.join()}}`;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

function decodeValue(bytes: Uint8Array): Value {
  if (bytes.length > maxValueBytes) throw badMessage(`a value of ${bytes.length} bytes is too long`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw badMessage("the value is not JSON");
  }
  const fault = invalidPartOf(value, 0);
  if (fault) throw badMessage(`brings ${fault}`);
  return value as Value;
}

/** The first part that is not a valid value, in words; undefined if there is none. */
function invalidPartOf(value: unknown, depth: number): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (typeof value !== "object") return typeof value;
  if (depth === maxValueDepth) return `a value nested deeper than ${maxValueDepth} lists and objects`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `an object of ${prototype.constructor?.name ?? "a class"}`;
  }
  // Iterates the array itself, so that holes count as undefined.
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    const fault = invalidPartOf(part, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

const notData = (operation: string, what: string) =>
  new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_TYPE",
    operation,
    problem: `${operation} was given ${what}.`,
    remedy: "Pass a typed array, or a small value that JSON can hold.",
  });
