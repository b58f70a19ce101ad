/** A logarithmic scale over values, with some room around them. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  at(value: number): number;
}

/** From `from` for the least to `to` for the greatest. */
export function scaleFor(values: readonly number[], from: number, to: number): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max((most / least) ** 0.04, 1.05);
  const [low, high] = [least / room, most * room];
  const span = Math.log(high / low);
  return { low, high, at: (value) => from + (Math.log(value / low) / span) * (to - from) };
}

/** Powers of ten, and twice and five times them where there are few. */
export function ticksOf({ low, high }: Scale): number[] {
  const decades = Math.log10(high / low);
  const steps = decades > 3 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const step of steps) {
      const value = Number(`${step}e${power}`);
      if (value >= low && value <= high) ticks.push(value);
    }
  }
  return ticks;
}

/** 0.02, 5, 2,000. */
export const format = (value: number): string =>
  value.toLocaleString("en", { maximumSignificantDigits: 3, useGrouping: true });
