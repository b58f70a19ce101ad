/**
 * Factors x for which the rows' sums Σ row[j] x[j] come nearest to the values: the normal equations, solved by Gauss–Jordan
 * elimination. The rows' columns must be linearly independent.
 */
export function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const columns = rows[0].length;
  const sum = (of: (row: readonly number[], k: number) => number) =>
    rows.reduce((total, row, k) => total + of(row, k), 0);
  const equations = Array.from({ length: columns }, (_, i) => [
    ...Array.from({ length: columns }, (_, j) => sum((row) => row[i] * row[j])),
    sum((row, k) => row[i] * values[k]),
  ]);
  for (const [i, pivot] of equations.entries()) {
    for (const [j, other] of equations.entries()) {
      if (j === i) continue;
      const ratio = other[i] / pivot[i];
      for (let k = i; k <= columns; k++) other[k] -= ratio * pivot[k];
    }
  }
  return equations.map((equation, i) => equation[columns] / equation[i]);
}
