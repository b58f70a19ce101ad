/** 1 / (x[min(i+1, n−1)] − x[max(i−1, 0)]) for each i; zeros where there is a single coordinate. */
export function inverseSpans(coordinates: Float64Array): Float64Array {
  const n = coordinates.length;
  const out = new Float64Array(n);
  if (n === 1) return out;
  for (let i = 0; i < n; i++) {
    out[i] = 1 / (coordinates[Math.min(i + 1, n - 1)] - coordinates[Math.max(i - 1, 0)]);
  }
  return out;
}

/** 1 / (x[i+1] − x[i]) for each i; zero at the last. */
export function inverseSteps(coordinates: Float64Array): Float64Array {
  const out = new Float64Array(coordinates.length);
  for (let i = 0; i + 1 < out.length; i++) out[i] = 1 / (coordinates[i + 1] - coordinates[i]);
  return out;
}
