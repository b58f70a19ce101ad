import { CrinkleError } from "../errors.ts";
import type { ConstantValues } from "./access.ts";
import { type Signature, valuesOf } from "./kernel.ts";
import type { ScanOptions, Segments, Selection, SortOptions } from "./primitives.ts";
import type { Reduction } from "./reduction.ts";
import type { ScalarType, Vector } from "./vector.ts";

/**
 * Checks of arguments, which `checked` (checked/checked.ts) makes in front of every implementation of Primitives. `what` is the
 * method.
 */

/** Positions are u32, and one value of u32 stands for no position: no vector is longer. */
const maxElements = 2 ** 32 - 1;

export function badArgument(problem: string, remedy: string): CrinkleError {
  return new CrinkleError({ tag: "BadArgument", problem, remedy });
}

/** A vector that other Primitives made, or something that is no vector. */
export function foreignVector(what: string, name: string): CrinkleError {
  return badArgument(
    `${what} was given a vector (${name}) that other primitives made.`,
    "Move it with toHost and fromHost.",
  );
}

export function releasedVector(what: string, name: string): CrinkleError {
  return badArgument(
    `${what} was given a vector (${name}) whose memory has been released.`,
    "Release vectors after their last use, and after that of their views.",
  );
}

/** A vector that cannot be written to, since it has no memory of its own. */
export function unwritableVector(what: string, name: string): CrinkleError {
  return badArgument(
    `${what} was to change a view without memory (${name}).`,
    "Copy it and change the copy.",
  );
}

/** A target that is also read. */
export function overlappingVectors(what: string, name: string): CrinkleError {
  return badArgument(
    `${what} was to change the vector that it also reads as its ${name}.`,
    "Give it a copy of one of them.",
  );
}

/** The first index that is out of range, in a checked gather or scatter. */
export function indexOutOfRange(what: string, position: number, index: number, length: number): CrinkleError {
  return badArgument(
    `${what} was given index ${index} at position ${position} of its map, for a vector of ${length} elements.`,
    "Indices are below the vector's length.",
  );
}

/** A whole number of elements, at most `most`. */
export function checkLength(what: string, length: number, most = maxElements): void {
  if (!Number.isInteger(length) || length < 0) {
    throw badArgument(`${what} was asked for ${length} elements.`, "Lengths are whole numbers from 0 on.");
  }
  if (length > most) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `${what} was asked for ${length} elements; the most here is ${most}.`,
      remedy: "Work on parts of it.",
    });
  }
}

/** What fromHost makes of words: 1 to 4 to an element, and none left over. */
export function checkComponents(what: string, words: number, components: number): void {
  if (!Number.isInteger(components) || components < 1 || components > 4) {
    throw badArgument(`${what} was asked for ${components} components.`, "Elements have 1 to 4 components.");
  }
  if (words % components !== 0) {
    throw badArgument(
      `${what} was given ${words} words for elements of ${components}.`,
      "Give it whole elements.",
    );
  }
}

/** A range of positions within a vector. */
export function checkRange(what: string, from: number, to: number, length: number): void {
  const isWhole = Number.isInteger(from) && Number.isInteger(to);
  if (!isWhole || from < 0 || to < from || to > length) {
    throw badArgument(
      `${what} was asked for elements ${from} to ${to} of a vector of ${length}.`,
      "Ranges lie within the vector and do not run backwards.",
    );
  }
}

export function checkNotEmpty(what: string, vector: Vector): void {
  if (vector.length === 0) {
    throw badArgument(`${what} was asked of an empty vector.`, "Look at the vector's length first.");
  }
}

/** Arithmetic and comparison want elements of one word. */
export function checkScalar(what: string, name: string, vector: Vector): void {
  if (vector.components !== 1) {
    throw badArgument(
      `${what} was given a vector (${name}) of ${vector.components} components.`,
      "It takes elements of one component.",
    );
  }
}

export function checkType(what: string, name: string, vector: Vector, type: ScalarType): void {
  if (vector.type !== type) {
    throw badArgument(`${what} was given a vector (${name}) of ${vector.type}.`, `It has to be of ${type}.`);
  }
}

/** Maps, stencils, flags, counts: single words of u32. */
export function checkIndices(what: string, name: string, vector: Vector): void {
  checkType(what, name, vector, "u32");
  checkScalar(what, name, vector);
}

/** Vectors by the names that the message shall give them; all of one length. */
export function checkSameLength(what: string, vectors: Readonly<Record<string, Vector>>): void {
  const entries = Object.entries(vectors);
  const [first] = entries;
  const other = entries.find(([, { length }]) => length !== first[1].length);
  if (other) {
    const [a, b] = [first, other].map(([name, { length }]) => `${length} elements of ${name}`);
    throw badArgument(`${what} was given ${a} and ${b}.`, "They must have the same length.");
  }
}

/** Elements of the same type and number of components: what moves between the two keeps its bits. */
export function checkSameElements(what: string, vectors: Readonly<Record<string, Vector>>): void {
  const entries = Object.entries(vectors);
  const [first] = entries;
  const other = entries.find(
    ([, { type, components }]) => type !== first[1].type || components !== first[1].components,
  );
  if (other) {
    const [a, b] = [first, other].map(([name, { type, components }]) => `${name} of ${components} × ${type}`);
    throw badArgument(`${what} was given ${a} and ${b}.`, "Their elements must be of the same type.");
  }
}

/** The vector that defines segments, and whether by head flags; as long as `vector`. */
export function checkSegments(what: string, segments: Segments, name: string, vector: Vector): void {
  if ("heads" in segments) {
    checkIndices(what, "heads", segments.heads);
    checkSameLength(what, { [name]: vector, heads: segments.heads });
  } else {
    checkScalar(what, "keys", segments.keys);
    checkSameLength(what, { [name]: vector, keys: segments.keys });
  }
}

/** A predicate reads elements of one word; a stencil is as long as the vector. */
export function checkSelection(what: string, vector: Vector, selection: Selection): void {
  if ("stencil" in selection) {
    checkIndices(what, "stencil", selection.stencil);
    checkSameLength(what, { vector, stencil: selection.stencil });
  } else {
    checkScalar(what, "vector", vector);
  }
}

/** The type that a scan stores and combines: another than the vector's takes a function that makes it. */
export function checkScanType<R extends ScalarType>(what: string, vector: Vector, options: ScanOptions<R>): R;
export function checkScanType(what: string, vector: Vector, { type, transform }: ScanOptions): ScalarType {
  if (type !== undefined && type !== vector.type && !transform) {
    throw badArgument(
      `${what} was asked for ${type} of ${vector.type} without a transform.`,
      "Say what makes one of the other: transform.",
    );
  }
  return type ?? vector.type;
}

/** A window of a key's bits: 0 to 32. */
export function checkBits(what: string, { bits = [0, 32] }: SortOptions = {}): void {
  const [from, to] = bits;
  if (Number.isInteger(from) && Number.isInteger(to) && from >= 0 && to >= from && to <= 32) return;
  throw badArgument(
    `${what} was asked for bits ${from} to ${to} of its keys.`,
    "Bits are 0 to 32, in order.",
  );
}

/** At least one vector, all of one length and of single words. */
export function checkZip(what: string, vectors: readonly Vector[]): void {
  if (vectors.length === 0) throw badArgument(`${what} was given no vectors.`, "Give it one or more.");
  for (const [k, vector] of vectors.entries()) checkScalar(what, `vector ${k}`, vector);
  checkSameLength(what, Object.fromEntries(vectors.map((vector, k) => [`vector ${k}`, vector])));
}

/** What a kernel is given fits its signature: vectors of its inputs, `at`, and constants. */
export function checkKernel(
  what: string,
  count: number,
  { inputs, constants }: Signature,
  given: {
    readonly inputs: Readonly<Record<string, Vector>>;
    readonly constants: ConstantValues;
    readonly at?: Vector;
  },
): void {
  checkLength(what, count);
  for (const [name, { type, components = 1, access }] of Object.entries(inputs)) {
    const vector = given.inputs[name];
    checkType(what, name, vector, type);
    if (vector.components !== components) {
      throw badArgument(
        `${what} was given a vector (${name}) of ${vector.components} components.`,
        `Its kernel takes elements of ${components}.`,
      );
    }
    if (access.kind === "own") checkCount(what, name, vector, count);
  }
  if (given.at) {
    checkIndices(what, "at", given.at);
    checkCount(what, "at", given.at, count);
  }
  for (const [name, { type, components = 1 }] of Object.entries(constants)) {
    const values = valuesOf(given.constants, name);
    const isWord = type === "f32" || values.every(Number.isInteger);
    if (values.length === components && isWord) continue;
    throw badArgument(
      `${what} was given ${values.join(", ")} as the constant ${name}.`,
      `Its kernel takes ${components} of ${type}.`,
    );
  }
}

/** The most terms that are reduced at once: a GPU keeps those of 256 threads in 16 KiB of workgroup memory. */
const maxTerms = 16;

/** 1 to 16 terms, and operators that commute: elements are combined in any order. */
export function checkReduction(what: string, { terms }: Reduction): void {
  const entries = Object.entries(terms);
  if (entries.length === 0 || entries.length > maxTerms) {
    throw badArgument(
      `${what} was asked for ${entries.length} results.`,
      `A reduction has 1 to ${maxTerms} terms.`,
    );
  }
  const ordered = entries.find(([, { operator }]) => !operator.isCommutative);
  if (!ordered) return;
  throw badArgument(
    `${what} was to combine ${ordered[0]} by ${ordered[1].operator.name}, which does not commute.`,
    "Use reduce, which keeps the order of elements.",
  );
}

/** At least one bin. */
export function checkBins(what: string, bins: number): void {
  if (Number.isInteger(bins) && bins >= 1) return;
  throw badArgument(`${what} was asked for ${bins} bins.`, "Give it a whole number of bins, 1 or more.");
}

function checkCount(what: string, name: string, { length }: Vector, count: number): void {
  if (length === count) return;
  throw badArgument(
    `${what} was asked for ${count} elements and given ${length} of ${name}.`,
    "They must have the same length.",
  );
}
