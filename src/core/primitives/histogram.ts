import { CrinkleError } from "../errors.ts";
import type { HostArray, ScalarType } from "./vector.ts";

/** Equal parts of a range, as every implementation takes them: see `binOf`. */
export interface EvenBins {
  readonly type: ScalarType;
  readonly bins: number;
  /** The least element within: low, for integers the first at or above it. */
  readonly least: number;
  /** Elements below it are within: high, for integers the first at or above it. */
  readonly beyond: number;
  /** fround(least − low): how far the first integer lies above low; 0 for f32. */
  readonly shift: number;
  /** fround(bins / (high − low)). */
  readonly scale: number;
  /** Power of two that x − least of integers is rounded down to multiples of, so that it has 24 bits at most. */
  readonly step: number;
}

const minOf = { u32: 0, i32: -(2 ** 31) };
const beyondOf = { u32: 2 ** 32, i32: 2 ** 31 };
const smallestNormal = 2 ** -126;
const greatest = 2 ** 127 * (2 - 2 ** -23);

/** x as f32, and 0 where it is subnormal: what arithmetic makes of those differs between GPUs. */
const normal = (x: number) => (Math.abs(Math.fround(x)) < smallestNormal ? 0 : Math.fround(x));

function badBins(problem: string): CrinkleError {
  return new CrinkleError({ tag: "BadArgument", problem, remedy: "Give the histogram other bins." });
}

/**
 * `bins` equal parts of [low, high), which are rounded to f32 for f32. BadArgument: bins that are no positive
 * integer, low or high that are not finite, low ≥ high, a width over f32's greatest number, or parts so wide or narrow
 * that scale is outside [2⁻¹²⁶, 2¹²⁶].
 */
export function evenBins(type: ScalarType, low: number, high: number, bins: number): EvenBins {
  if (!Number.isInteger(bins) || bins < 1) throw badBins(`A histogram was asked for ${bins} bins.`);
  const [from, to] = type === "f32" ? [normal(low), normal(high)] : [low, high];
  if (!(from < to) || !Number.isFinite(to - from) || to - from > greatest) {
    throw badBins(`A histogram was asked for bins in [${low}, ${high}).`);
  }
  const scale = Math.fround(bins / (to - from));
  if (scale < smallestNormal || scale > 1 / smallestNormal) {
    throw badBins(`A histogram's ${bins} bins in [${low}, ${high}) are too wide or too narrow for f32.`);
  }
  if (type === "f32") return { type, bins, least: from, beyond: to, shift: 0, scale, step: 1 };
  const within = (x: number) => Math.min(beyondOf[type], Math.max(minOf[type], Math.ceil(x)));
  const [least, beyond] = [within(from), within(to)];
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, beyond - least))) - 24);
  return { type, bins, least, beyond, shift: Math.fround(least - from), scale, step };
}

/**
 * The bin of x: min(bins − 1, ⌊fround(t · scale)⌋); −1 outside and for NaN. f32: t = fround(x − least), where x that
 * is subnormal counts as 0. Integers: t = fround(d + shift), d = x − least rounded down to a multiple of step, which
 * is exact as f32: where shift is 0 and scale a power of two, so are the bins.
 */
export function binOf({ type, bins, least, beyond, shift, scale, step }: EvenBins, x: number): number {
  const value = type === "f32" ? normal(x) : x;
  if (!(value >= least && value < beyond)) return -1;
  const d = value - least;
  const t = Math.fround(type === "f32" ? d : d - (d % step) + shift);
  return Math.min(bins - 1, Math.floor(Math.fround(t * scale)));
}

/**
 * Edges of bins as elements: x ≥ edge is the same for the elements x of the type. Integers beyond the type's range
 * are left out at the upper end, where no element reaches them. BadArgument: fewer than two edges, NaN, an edge that
 * is not greater than the one before. Edges of f32 are rounded, after which some may be equal.
 */
export function edgesOf<T extends ScalarType>(type: T, edges: readonly number[]): HostArray<T>;
export function edgesOf(type: ScalarType, edges: readonly number[]): HostArray {
  if (edges.length < 2) throw badBins(`A histogram was given ${edges.length} edges; it needs two at least.`);
  const wrong = edges.findIndex((edge, k) => (k === 0 ? Number.isNaN(edge) : !(edge > edges[k - 1])));
  if (wrong >= 0) {
    throw badBins(`A histogram's edges do not increase: edge ${wrong} is ${edges[wrong]}.`);
  }
  if (type === "f32") return Float32Array.from(edges);
  const whole = edges.map((edge) => Math.max(minOf[type], Math.ceil(edge)));
  const reached = whole.filter((edge) => edge < beyondOf[type]);
  return type === "u32" ? Uint32Array.from(reached) : Int32Array.from(reached);
}
