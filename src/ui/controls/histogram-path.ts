/** A closed outline of bars in a box of `counts.length` × 1, y downwards; heights are √(count ∕ maxCount). */
export function histogramPath(counts: readonly number[]): string {
  const maxCount = Math.max(...counts, 1);
  const steps = counts.map((count, i) => {
    // Every non-zero count stays visible.
    const height = count > 0 ? Math.max(0.03, Math.sqrt(count / maxCount)) : 0;
    return `V${Number((1 - height).toFixed(4))}H${i + 1}`;
  });
  return `M0 1${steps.join("")}V1Z`;
}
