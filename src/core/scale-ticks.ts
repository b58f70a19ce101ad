import { linearLimit, type Scale } from "./scale.ts";

/** Of a rounded power of ten, compared with the ends of a range. */
const tolerance = 1e-9;

/**
 * At most `most` (at least 2) numbers of a logarithmic scale in ascending order, to be written beside it: powers of ten, with equal
 * numbers of decades between them, or 1, 2 and 5 times powers of ten where there are fewer than three of them. A symmetric log scale has 0, and powers of ten
 * from its linear limit on.
 */
export function scaleTicks(scale: Scale, most: number): number[] {
  const { kind, low, high } = scale;
  if (kind === "symlog") return symlogTicks(scale, most);
  const isWithin = (value: number) => {
    const slack = tolerance * Math.abs(value);
    return value >= low - slack && value <= high + slack;
  };
  const powers = powersWithin(low, high);
  if (powers.length >= 3) return spread(powers, most).map(power);
  const fine = powersWithin(low / 10, high)
    .flatMap((exponent) => [1, 2, 5].map((digit) => digit * power(exponent)))
    .filter(isWithin);
  return spread(fine, most);
}

/** Whole exponents of the powers of ten from `low` to `high`, both above 0. */
function powersWithin(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) - tolerance);
  const last = Math.floor(Math.log10(high) + tolerance);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
}

/** 10ⁿ, as it is written in decimals. */
const power = (exponent: number): number => Number(`1e${exponent}`);

/** Every so many of them, counted from the last, that at most `most` are left. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil((all.length - 1) / (most - 1)));
  return all.filter((_, k) => (all.length - 1 - k) % step === 0);
}

function symlogTicks(scale: Scale, most: number): number[] {
  const { low, high } = scale;
  const limit = linearLimit(scale);
  const sideUpTo = (end: number) => (end > limit ? powersWithin(limit, end) : []);
  const [below, above] = [sideUpTo(-low), sideUpTo(high)];
  const last = Math.max(...below, ...above);
  const ticksAt = (step: number) => {
    const kept = (side: readonly number[]) => side.filter((n) => (last - n) % step === 0).map(power);
    const ticks = [
      ...kept(below)
        .reverse()
        .map((value) => -value),
      0,
      ...kept(above),
    ];
    return ticks.filter((tick) => tick >= low && tick <= high);
  };
  let step = 1;
  while (ticksAt(step).length > most && step <= below.length + above.length) step++;
  return ticksAt(step).slice(-most);
}
