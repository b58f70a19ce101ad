interface Estimate {
  readonly mean: number;
  readonly error: number | undefined;
}

/** The difference of a measure from another one, or from an exact value, in standard errors; NaN where a measure has none. */
export function deviation({ mean, error }: Estimate, other: Estimate | number): number {
  const to = typeof other === "number" ? { mean: other, error: 0 } : other;
  return Math.abs(mean - to.mean) / Math.hypot(error ?? Number.NaN, to.error ?? Number.NaN);
}
