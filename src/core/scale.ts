/** How numbers are laid out along a colour map, a scalar bar or an axis. */
export const scaleKinds = ["linear", "log", "symlog"] as const;

export type ScaleKind = (typeof scaleKinds)[number];

/** A scale over the numbers from `low` to `high`. A log scale has `low` above 0. */
export interface Scale {
  readonly kind: ScaleKind;
  readonly low: number;
  readonly high: number;
}

/** The lower end of a log scale whose range reaches 0, as a fraction of the upper end. */
export const lowestFraction = 1e-6;
/** The same of any log scale at least: f32 hold their ratio. */
const leastFraction = 1e-30;
/** A symmetric log scale is linear up to this fraction of the largest magnitude. */
const linearFraction = 1e-3;
/** The linear part on one side of 0 is as long as this many decades: matplotlib's SymLogNorm with linscale 1. */
const linearDecades = 1 / (1 - 1 / 10);

/**
 * A scale of a kind over a range. A log scale begins at a millionth of its upper end where the range reaches 0, and is linear
 * where no number of the range is above 0; a single number has a linear scale.
 */
export function scaleOver(kind: ScaleKind, [low, high]: readonly [number, number]): Scale {
  if (kind === "linear" || !(high > low) || (kind === "log" && !(high > 0)))
    return { kind: "linear", low, high };
  if (kind === "symlog") return { kind, low, high };
  return { kind, low: low > 0 ? Math.max(low, leastFraction * high) : lowestFraction * high, high };
}

/** Where a symmetric log scale ceases to be linear, on both sides of 0. */
export const linearLimit = ({ low, high }: Scale): number =>
  linearFraction * Math.max(Math.abs(low), Math.abs(high));

/** Decades along a symmetric log scale, of a number in units of its linear limit; odd. */
function symlog(u: number): number {
  const magnitude = Math.abs(u);
  return magnitude > 1 ? Math.sign(u) * (linearDecades + Math.log10(magnitude)) : u * linearDecades;
}

function inverseSymlog(decades: number): number {
  const magnitude = Math.abs(decades);
  return magnitude > linearDecades
    ? Math.sign(decades) * 10 ** (magnitude - linearDecades)
    : decades / linearDecades;
}

/**
 * Where a number lies on a scale: 0 at its lower end, 1 at its upper one, beyond them outside of [0, 1]; 0.5 on a scale of a
 * single number. −∞ for 0 and less on a log scale, NaN for NaN. matplotlib's Normalize, LogNorm and SymLogNorm (linscale 1).
 */
export function scalePosition(scale: Scale, value: number): number {
  const { kind, low, high } = scale;
  if (!(high > low)) return Number.isNaN(value) ? value : 0.5;
  if (kind === "linear") return (value - low) / (high - low);
  if (kind === "log") return value <= 0 ? -Infinity : Math.log(value / low) / Math.log(high / low);
  const limit = linearLimit(scale);
  const start = symlog(low / limit);
  return (symlog(value / limit) - start) / (symlog(high / limit) - start);
}

/** The number at a position of a scale: the inverse of `scalePosition` for positions in [0, 1]. */
export function scaleValue(scale: Scale, position: number): number {
  const { kind, low, high } = scale;
  if (position <= 0) return low;
  if (position >= 1) return high;
  if (kind === "linear") return low + position * (high - low);
  if (kind === "log") return low * (high / low) ** position;
  const limit = linearLimit(scale);
  const start = symlog(low / limit);
  return limit * inverseSymlog(start + position * (symlog(high / limit) - start));
}

/**
 * What a shader needs to place the scalars of a buffer on a scale (`scaledCode` of the viewer): a number near the scalar,
 * x = (scalar − origin) · perUnit + shift, is interpolated between vertices, and its position is computed from
 * x in each pixel, so that colours are those of the interpolated values.
 */
export interface ShaderScale {
  readonly origin: number;
  readonly perUnit: number;
  readonly shift: number;
  /**
   * The kind's number, and three numbers of it. Linear: the position is x. Log: `log2(1 + b x) · c`. Symmetric log:
   * `(symlog(b x) − c) · d`.
   */
  readonly words: readonly [kind: number, b: number, c: number, d: number];
}

/** `zero` is the buffer's scalar of the number 0. */
export function shaderScale(scale: Scale, zero: number): ShaderScale {
  const { kind, low, high } = scale;
  const perUnit = high > low ? 1 / (high - low) : 0;
  if (kind === "linear" || perUnit === 0) {
    // A constant field has the middle colour.
    return { origin: zero + 0.5 * low + 0.5 * high, perUnit, shift: 0.5, words: [0, 0, 0, 0] };
  }
  if (kind === "log") {
    // From the lower end on: differences to it keep their digits, whatever the decades.
    return {
      origin: zero + low,
      perUnit,
      shift: 0,
      words: [1, high / low - 1, 1 / Math.log2(high / low), 0],
    };
  }
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const limit = linearLimit(scale);
  const [start, end] = [symlog(low / limit), symlog(high / limit)];
  return {
    origin: zero,
    perUnit: 1 / largest,
    shift: 0,
    words: [2, largest / limit, start, 1 / (end - start)],
  };
}
