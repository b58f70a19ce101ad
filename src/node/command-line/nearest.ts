/** The candidate within two edits of `word` (one for short words) that is closest to it; undefined where none is. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = word.length > 3 ? 2.5 : 1.5;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein's distance: the fewest insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, row[j] + 1, next[j - 1] + 1);
    }
    row = next;
  }
  return row[b.length];
}
