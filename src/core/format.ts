/** A number with its unit, which no line's end parts. */
export const withUnit = (number: string | number, unit: string): string => `${number}\u00a0${unit}`;

/** 1536 → "1.5 KiB", as `withUnit` writes it. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return withUnit(value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value), units[unit]);
}

/** About `digits` significant digits, without trailing zeros: 0.30000001 → "0.3", 12345 whole, 1234567 → "1.235e+6". */
export function formatNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  const text =
    magnitude >= 10 ** Math.max(digits, 5) || magnitude < 1e-3
      ? value.toExponential(digits - 1)
      : magnitude >= 10 ** (digits - 1)
        ? value.toFixed(0)
        : value.toPrecision(digits);
  const [mantissa, exponent] = text.split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return (exponent ? `${trimmed}e${exponent}` : trimmed).replace("-", "−").replace("e−", "e-");
}

/** What numbers of one kind lie between. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Significant digits that tell numbers of a range apart as well as `digits` digits do where it begins at 0;
 * of a single value, as many as f32 holds.
 */
export function digitsWithin({ min, max }: NumberRange, digits = 4): number {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  if (!(max > min) || !Number.isFinite(largest)) return Math.max(digits, 7);
  return Math.min(15, digits + Math.max(0, Math.floor(Math.log10(largest / (max - min)))));
}

/** A number of a range, in digits that tell it from its neighbours: 101325.4 between 101325 and 101326. */
export function formatWithin(value: number, range: NumberRange, digits = 4): string {
  return formatNumber(value, digitsWithin(range, digits));
}

/** 0.0123 s → "12.3 ms", as `withUnit` writes it. */
export function formatMilliseconds(ms: number): string {
  if (ms < 1) return withUnit(formatNumber(ms * 1000, 3), "µs");
  if (ms < 1000) return withUnit(formatNumber(ms, 3), "ms");
  return withUnit(formatNumber(ms / 1000, 3), "s");
}

/** 1234567 → "1,234,567". */
export function formatCount(count: number): string {
  // Not by toLocaleString, whose first call loads the locales' data: 15 ms of every start that prints a number.
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A phrase as the start of a sentence. */
export function capitalized(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
