/** Edits (insert, delete, replace, swap neighbours) between two names; upper and lower case count as half. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1];
      row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + replacement(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
      }
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

function replacement(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
}

/** The candidate that `name` was probably meant to be; undefined where none is near. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, name.length / 3);
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const distance = editDistance(name, candidate);
    if (distance >= Math.max(name.length, candidate.length)) continue;
    if (distance < least || (distance === least && best === undefined)) [best, least] = [candidate, distance];
  }
  if (best !== undefined) return best;
  const folded = name.toLowerCase();
  return [...candidates].find((candidate) => candidate.toLowerCase() === folded);
}
