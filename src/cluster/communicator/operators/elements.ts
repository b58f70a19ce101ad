import type { TypedArray } from "../../../core/dtype.ts";
import type { Value } from "../communicator.ts";
import { CommunicatorError } from "../errors.ts";
import type { ElementReduction } from "../operators.ts";

/** A built-in reduction, for arrays of any element type and for the values that it supports. */
export type BuiltIn = Required<ElementReduction>;

type Combine = BuiltIn["combine"];
/** `b[i] = a[i] ∘ b[i]`. Every operator has its own loops: a shared one would run many times slower. */
type Loop<Elements> = (a: Elements, b: Elements) => void;

/** Elements converted to f64 and back at a time. */
const chunk = 1024;
const chunkA = new Float64Array(chunk);
const chunkB = new Float64Array(chunk);

/**
 * Converts narrower numbers to f64, which holds their sums and products exactly, except products of 32-bit
 * integers.
 */
function numeric(loop: Loop<Float64Array>, big: (a: bigint, b: bigint) => bigint): Combine {
  return (a, b, from, to) => {
    if (isBig(a) && isBig(b)) {
      for (let i = from; i < to; i++) b[i] = big(a[i], b[i]);
    } else if (a instanceof Float64Array && b instanceof Float64Array) {
      loop(a.subarray(from, to), b.subarray(from, to));
    } else if (!isBig(a) && !isBig(b)) {
      for (let at = from; at < to; at += chunk) {
        const end = Math.min(at + chunk, to);
        const partA = chunkA.subarray(0, end - at);
        const partB = chunkB.subarray(0, end - at);
        partA.set(a.subarray(at, end));
        partB.set(b.subarray(at, end));
        loop(partA, partB);
        b.set(partB, at);
      }
    }
  };
}

const isBig = (array: TypedArray): array is BigInt64Array | BigUint64Array =>
  array instanceof BigInt64Array || array instanceof BigUint64Array;

/** Works on the elements' bits, whatever their type. */
function bitwise(loop: Loop<Uint32Array>): Combine {
  return (a, b, from, to) => {
    const [bytesA, bytesB] = [bytes(a, from, to), bytes(b, from, to)];
    if (areAligned(bytesA) && areAligned(bytesB)) return loop(asWords(bytesA), asWords(bytesB));
    // If there are too few bytes, or they are not aligned to 4, goes through an aligned buffer.
    for (let at = 0; at < bytesA.length; at += chunk) {
      const end = Math.min(at + chunk, bytesA.length);
      const [partA, partB] = [new Uint32Array(chunk / 4), new Uint32Array(chunk / 4)];
      new Uint8Array(partA.buffer).set(bytesA.subarray(at, end));
      new Uint8Array(partB.buffer).set(bytesB.subarray(at, end));
      loop(partA, partB);
      bytesB.set(new Uint8Array(partB.buffer, 0, end - at), at);
    }
  };
}

const bytes = (array: TypedArray, from: number, to: number) => {
  const width = array.BYTES_PER_ELEMENT;
  return new Uint8Array(array.buffer, array.byteOffset + from * width, (to - from) * width);
};
const areAligned = (part: Uint8Array) => part.byteOffset % 4 === 0 && part.length % 4 === 0;
const asWords = (part: Uint8Array) => new Uint32Array(part.buffer, part.byteOffset, part.length / 4);

/** Applies to numbers given as values. */
const ofNumbers = (name: string, f: (a: number, b: number) => number) => {
  return (a: Value, b: Value): Value => {
    if (typeof a !== "number" || typeof b !== "number") throw notFor(name, "arrays and numbers");
    return f(a, b);
  };
};

const ofBooleans = (name: string, f: (a: boolean, b: boolean) => boolean) => {
  return (a: Value, b: Value): Value => {
    if (typeof a !== "boolean" || typeof b !== "boolean") throw notFor(name, "arrays, true and false");
    return f(a, b);
  };
};

const notFor = (name: string, what: string) =>
  new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_OP",
    problem: `${name} is only defined for ${what}.`,
    remedy: "Define your own reduction (defineReduction).",
  });

function builtIn(name: string, combine: Combine, ofValues: BuiltIn["ofValues"]): BuiltIn {
  return { name, isCommutative: true, group: 1, combine, ofValues };
}

/** MPI_SUM. Integers wrap. */
export const add = builtIn(
  "add",
  numeric(
    (a, b) => {
      for (let i = 0; i < b.length; i++) b[i] = a[i] + b[i];
    },
    (a, b) => a + b,
  ),
  ofNumbers("add", (a, b) => a + b),
);

const multiply = numeric(
  (a, b) => {
    for (let i = 0; i < b.length; i++) b[i] = a[i] * b[i];
  },
  (a, b) => a * b,
);

/** MPI_PROD. Integers wrap. */
export const mul = builtIn(
  "mul",
  (a, b, from, to) => {
    if (!(b instanceof Int32Array || b instanceof Uint32Array)) return multiply(a, b, from, to);
    const [wordsA, wordsB] = [asWords(bytes(a, from, to)), asWords(bytes(b, from, to))];
    for (let i = 0; i < wordsB.length; i++) wordsB[i] = Math.imul(wordsA[i], wordsB[i]);
  },
  ofNumbers("mul", (a, b) => a * b),
);

function bigMin(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

function bigMax(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** MPI_MIN. Like the primitives' `min`: NaN wins over numbers, and −0 is less than +0. */
export const min = builtIn(
  "min",
  numeric((a, b) => {
    for (let i = 0; i < b.length; i++) b[i] = Math.min(a[i], b[i]);
  }, bigMin),
  ofNumbers("min", Math.min),
);

/** MPI_MAX. Like the primitives' `max`: NaN wins over numbers, and −0 is less than +0. */
export const max = builtIn(
  "max",
  numeric((a, b) => {
    for (let i = 0; i < b.length; i++) b[i] = Math.max(a[i], b[i]);
  }, bigMax),
  ofNumbers("max", Math.max),
);

/**
 * MPI_BAND on arrays, including floating-point ones, like the primitives' `and`; MPI_LAND on true and
 * false.
 */
export const and = builtIn(
  "and",
  bitwise((a, b) => {
    for (let i = 0; i < b.length; i++) b[i] &= a[i];
  }),
  ofBooleans("and", (a, b) => a && b),
);

/** MPI_BOR on arrays; MPI_LOR on true and false. */
export const or = builtIn(
  "or",
  bitwise((a, b) => {
    for (let i = 0; i < b.length; i++) b[i] |= a[i];
  }),
  ofBooleans("or", (a, b) => a || b),
);

/** MPI_BXOR on arrays; MPI_LXOR on true and false. */
export const xor = builtIn(
  "xor",
  bitwise((a, b) => {
    for (let i = 0; i < b.length; i++) b[i] ^= a[i];
  }),
  ofBooleans("xor", (a, b) => a !== b),
);
