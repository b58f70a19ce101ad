/**
 * Shapes of hypercubic arrays in the notation of seed 002, §3: `[L_{d−1}, …, L_0]`, the fastest axis last, and the type of an
 * element, if any, as the last factor: `[128,128,128,int32]`. In memory and in code axis 0 is the fastest.
 */
import type { DType } from "../dtype.ts";
import { nearestName } from "../names.ts";
import { badArgument } from "../primitives/checks.ts";
import { placedError } from "./placed.ts";

/** Axes of a shape at most. */
const maxAxes = 10;

/** Elements of a shape at most: a 32-bit index names each, and its last value stays free for “none”. */
const maxElements = 2 ** 32 - 1;

/** Types of elements by the names that NumPy has for them, with their bytes. */
const elementTypes = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  float16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
  complex64: 8,
  complex128: 16,
} as const;

export type ElementTypeName = keyof typeof elementTypes;

/** Lengths along the axes, the fastest first (`lengths[i]` is the seed's L_i), and the type of an element. */
export interface Shape {
  readonly lengths: readonly number[];
  readonly type?: ElementTypeName;
}

const dtypeNames: Readonly<Record<DType, ElementTypeName>> = {
  i8: "int8",
  u8: "uint8",
  i16: "int16",
  u16: "uint16",
  i32: "int32",
  u32: "uint32",
  i64: "int64",
  u64: "uint64",
  f32: "float32",
  f64: "float64",
};

/** The name that shapes have for a type of stored arrays. */
export const elementTypeNamed = (name: string): ElementTypeName | undefined =>
  Object.hasOwn(elementTypes, name) ? (name as ElementTypeName) : undefined;

export const elementTypeOf = (dtype: DType): ElementTypeName => dtypeNames[dtype];

/** N = ∏ L_i (seed 002, equation 7). */
export const countOf = (lengths: readonly number[]): number => lengths.reduce((count, n) => count * n, 1);

/** What an index grows by along each axis: LP_i = ∏ L_j over j < i (seed 002, §4, where the product runs one factor too far). */
export function stridesOf(lengths: readonly number[]): number[] {
  let stride = 1;
  return lengths.map((length) => {
    const own = stride;
    stride *= length;
    return own;
  });
}

/** Throws BadArgument unless there are 1 to 10 axes of at least one element each, and at most 2³² − 1 elements in all. */
export function checkLengths(lengths: readonly number[]): void {
  if (lengths.length < 1 || lengths.length > maxAxes) {
    throw badArgument(`A shape has ${lengths.length} axes.`, `Shapes have 1 to ${maxAxes} axes.`);
  }
  const wrong = lengths.find((length) => !Number.isSafeInteger(length) || length < 1);
  if (wrong !== undefined)
    throw badArgument(`An axis has the length ${wrong}.`, "Lengths are whole numbers from 1 on.");
  if (countOf(lengths) > maxElements) {
    throw badArgument(
      `The shape ${printShape({ lengths })} has more than 2³² − 1 elements.`,
      "Make it smaller, or work on parts of it.",
    );
  }
}

/** The shape in the seed's notation: `[128,128,128,int32]`. */
export function printShape({ lengths, type }: Shape): string {
  return `[${[...[...lengths].reverse(), ...(type ? [type] : [])].join(",")}]`;
}

/** Reads the seed's notation. Throws SyntaxError with the place in the text, BadArgument. */
export function parseShape(text: string): Shape {
  const outer = /^\s*\[(.*)\]\s*$/s.exec(text);
  if (!outer) throw shapeError("A shape stands in brackets, as [64,64,float32] does", 0, text.length);
  const lengths: number[] = [];
  let type: ElementTypeName | undefined;
  let at = text.indexOf("[") + 1;
  const parts = outer[1].split(",");
  for (const [k, part] of parts.entries()) {
    const word = part.trim();
    const from = at + part.indexOf(word);
    const to = from + word.length;
    at += part.length + 1;
    if (/^\d+$/.test(word)) lengths.unshift(Number(word));
    else if (k === parts.length - 1 && k > 0 && word in elementTypes) type = word as ElementTypeName;
    else throw shapeError(wordProblem(word, k === parts.length - 1), from, to);
  }
  checkLengths(lengths);
  return type ? { lengths, type } : { lengths };
}

function wordProblem(word: string, isLast: boolean): string {
  if (word === "") return "A length is missing";
  if (!isLast) return `“${word}” is not a length`;
  const near = nearestName(word, Object.keys(elementTypes));
  return `“${word}” is neither a length nor a type${near ? ` (perhaps ${near})` : ""}`;
}

const shapeError = (problem: string, from: number, to: number) =>
  placedError("SyntaxError", { from, to, line: 1, column: from + 1 }, problem);

/**
 * The product 𝒟₂·𝒟₁ of shapes, whose fastest axes are those of the second (seed 002, equation 8): `[4,4]·[2,int32]` is
 * `[4,4,2,int32]`. Throws BadArgument where the first has a type, which comes last.
 */
export function productOf(slow: Shape, fast: Shape): Shape {
  if (slow.type) {
    throw badArgument(
      `The type ${slow.type} of ${printShape(slow)} would stand inside a product.`,
      "Only the last factor has a type.",
    );
  }
  const lengths = [...fast.lengths, ...slow.lengths];
  checkLengths(lengths);
  return { ...fast, lengths };
}

/** The shape as a product of two, the second with its `fastAxes` fastest axes and its type. Throws BadArgument where one has no axis. */
export function decompose({ lengths, type }: Shape, fastAxes: number): readonly [slow: Shape, fast: Shape] {
  const [fast, slow] = [lengths.slice(0, fastAxes), lengths.slice(fastAxes)];
  checkLengths(fast);
  checkLengths(slow);
  return [{ lengths: slow }, type ? { lengths: fast, type } : { lengths: fast }];
}

/** Bytes of an element; undefined where the shape has no type. */
export const bytesOfElement = ({ type }: Shape): number | undefined => type && elementTypes[type];
