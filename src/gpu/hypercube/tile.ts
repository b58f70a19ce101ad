import { axesOfDigits, radicesOfResult } from "../../core/hypercube/digits.ts";
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { countOf, stridesOf } from "../../core/hypercube/shape.ts";

/** Elements of a tile at most: 4 of each thread, where they are words. */
const tileElements = { 4: 1024, 8: 1024, 16: 512 } as const;

/** Within so few elements the cache serves reads that are apart. */
const nearby = 256;

/** Banks of workgroup memory: words that are a multiple of them apart are served one after the other. */
const banks = 32;

/**
 * How a result is cut into tiles that are read along the source's rows and written along its own. Its index is
 * s + stride · (b + across · r): neighbours in s are neighbours in the result, neighbours in b are neighbours in the source.
 */
export interface Tile {
  readonly stride: number;
  readonly across: number;
  readonly rest: number;
  /** The tile's extents in s and b, powers of two. */
  readonly along: number;
  readonly deep: number;
  /** Elements from one b to the next in workgroup memory, so that neither order meets one bank alone. */
  readonly pitch: number;
}

const powerFrom = (n: number): number => 2 ** Math.ceil(Math.log2(n));

/** The tile of a map; undefined where its reads are of neighbours or near each other anyway. */
export function tileOf(map: IndexMap, bytes: 4 | 8 | 16): Tile | undefined {
  const [digits, ...others] = map.steps;
  if (digits?.kind !== "digits" || others.some(({ kind }) => kind === "digits")) return undefined;
  // Where the source's fastest digit has gone.
  const place =
    axesOfDigits(digits.from, digits.radices)[0] === 0
      ? digits.places.findIndex(({ digit }) => digit === 0)
      : -1;
  if (place < 0) return undefined;
  const radices = radicesOfResult(digits);
  const axes = axesOfDigits(digits.to, radices);
  const axis = axes[place];
  const weight = radices.slice(axes.indexOf(axis), place).reduce((product, radix) => product * radix, 1);
  const isAxis = axes.indexOf(axis) === axes.lastIndexOf(axis);
  const stride = stridesOf(map.to)[axis] * weight;
  const across = isAxis ? map.to[axis] : radices[place];
  const rest = countOf(map.to) / (stride * across);
  if (stride === 1 || stride * across < nearby || !Number.isInteger(rest)) return undefined;
  const elements = tileElements[bytes];
  const deep = Math.min(powerFrom(across), Math.max(banks, elements / powerFrom(stride)));
  const along = Math.min(powerFrom(stride), elements / deep);
  return { stride, across, rest, along, deep, pitch: along + Math.max(1, banks / deep) };
}

/** Workgroups that cover the result, a tile each. */
export const tileCount = ({ stride, across, rest, along, deep }: Tile): number =>
  Math.ceil(stride / along) * Math.ceil(across / deep) * rest;
