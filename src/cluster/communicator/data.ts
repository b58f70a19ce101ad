import { arrayOf, bytesPerElement, dtypeOf, dtypes, type TypedArray } from "../../core/dtype.ts";
import { badMessage } from "../wire/frame.ts";
import type { Data, Value } from "./communicator.ts";
import { CommunicatorError } from "./errors.ts";

/** The most bytes of a value as UTF-8, and how deep its lists and records may lie in one another. */
export const maxValueBytes = 2 ** 20;
export const maxValueDepth = 64;

/** Data as bytes, and what they are: the element type's place in `dtypes`, or `valueCode`. */
export interface Encoded {
  readonly code: number;
  /** An array's own memory. */
  readonly bytes: Uint8Array;
}

/** Bytes that hold a value, as JSON in UTF-8. */
export const valueCode = dtypes.length;

export const isTypedArray = (data: Data): data is TypedArray =>
  ArrayBuffer.isView(data) && dtypes.some((dtype) => data instanceof arrayOf(dtype));

export const bytesOf = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Throws BadArgument for what JSON would change: undefined, NaN and infinities, bigints, and other objects than lists and records. */
export function encodeData(data: Data, operation: string): Encoded {
  if (isTypedArray(data)) return { code: dtypes.indexOf(dtypeOf(data)), bytes: bytesOf(data) };
  const fault = invalidPartOf(data, 0);
  if (fault) throw notData(operation, fault);
  const bytes = new TextEncoder().encode(textOf(data));
  if (bytes.length > maxValueBytes) {
    throw notData(operation, `a value of ${bytes.length} bytes as JSON; ${maxValueBytes} are the most`);
  }
  return { code: valueCode, bytes };
}

/** Data of bytes that another rank sent, where they lie if they are aligned. Throws BadMessage. */
export function decodeData({ code, bytes }: Encoded): Data {
  if (code === valueCode) return decodeValue(bytes);
  const dtype = dtypes[code];
  if (dtype === undefined) throw badMessage(`brings elements of the unknown type ${code}`);
  const width = bytesPerElement(dtype);
  if (bytes.length % width !== 0) throw badMessage(`brings ${bytes.length} bytes of ${dtype}`);
  const own = bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  return new (arrayOf(dtype))(own.buffer, own.byteOffset, own.length / width);
}

/** Data of one's own that are equal to these. */
export function copyData<D extends Data>(data: D): D {
  return (isTypedArray(data) ? data.slice() : structuredClone(data)) as D;
}

/** JSON.stringify, but with −0. */
function textOf(value: Value): string {
  if (Object.is(value, -0)) return "-0";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(textOf).join()}]`;
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${textOf(field)}`);
  return `{${fields.join()}}`;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

function decodeValue(bytes: Uint8Array): Value {
  if (bytes.length > maxValueBytes) throw badMessage(`brings a value of ${bytes.length} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw badMessage("brings a value that is no JSON");
  }
  const fault = invalidPartOf(value, 0);
  if (fault) throw badMessage(`brings ${fault}`);
  return value as Value;
}

/** What in it is no value, if anything. */
function invalidPartOf(value: unknown, depth: number): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (typeof value !== "object") return typeof value;
  if (depth === maxValueDepth) return `a value deeper than ${maxValueDepth} lists and records`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `an object of ${prototype.constructor?.name ?? "a class"}`;
  }
  // An array's own entries, for holes are undefined.
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
    remedy: "Give a typed array, or a small value that JSON can hold.",
  });
