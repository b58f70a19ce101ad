/** Round numbers along an axis, with their labels. */
export interface Ticks {
  readonly values: readonly number[];
  readonly labels: readonly string[];
  /** The labels' numbers are in units of 10^exponent; 0 for plain numbers. */
  readonly exponent: number;
}

const none: Ticks = { values: [], labels: [], exponent: 0 };

/** The smallest of 1, 2 and 5 times a power of ten that puts at most `maxCount` steps into `span`. */
function niceStep(span: number, maxCount: number): number {
  const raw = span / maxCount;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= raw * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** At most about `maxCount` ticks within [low, high]; none where the interval is empty or below double precision. */
export function niceTicks(low: number, high: number, maxCount: number): Ticks {
  const span = high - low;
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (!(span > 0) || !Number.isFinite(span) || maxCount < 1 || span < 1e-11 * largest) return none;
  const step = niceStep(span, maxCount);
  const first = Math.ceil(low / step - 1e-6);
  const last = Math.floor(high / step + 1e-6);
  const values: number[] = [];
  for (let i = first; i <= last; i++) values.push(i * step);
  if (values.length === 0) return none;
  return { values, ...formatTicks(values, step) };
}

/** Writes the ticks with as many decimals as the step needs; very large or small ones share a power of ten. */
function formatTicks(values: readonly number[], step: number): { labels: string[]; exponent: number } {
  const largest = Math.max(...values.map(Math.abs), step);
  const magnitude = Math.floor(Math.log10(largest) + 1e-9);
  const stepMagnitude = Math.floor(Math.log10(step) + 1e-9);
  // A small step at a large offset reads better written out: 1000005, not 1.000005 × 10⁶.
  const isLarge = magnitude >= 5 && (magnitude >= 9 || stepMagnitude > magnitude - 4);
  const exponent = isLarge || magnitude < -3 ? 3 * Math.floor(magnitude / 3) : 0;
  const decimals = Math.max(0, exponent - stepMagnitude);
  const scale = 10 ** Math.abs(exponent);
  const labels = values.map((value) => {
    const scaled = exponent < 0 ? value * scale : value / scale;
    return withMinus(scaled.toFixed(Math.min(decimals, 100)));
  });
  return { labels, exponent };
}

function withMinus(text: string): string {
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** 10^exponent as text: "10⁻⁹"; empty for 0. */
export function powerOfTen(exponent: number): string {
  if (exponent === 0) return "";
  const digits = [...Math.abs(exponent).toString()].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}
