const listOf = (names: readonly string[]): string => new Intl.ListFormat("en").format(names);

/** Says which ranks were lost while a job ran. */
export function lostSentence(names: readonly string[]): string {
  return names.length === 1
    ? `${listOf(names)} was lost; the others computed its part, too.`
    : `${listOf(names)} were lost; the others computed their parts, too.`;
}

/** Says which ranks were lost while no job ran; `left` ranks take part in the next one. */
export function lostBetweenJobs(names: readonly string[], left: number): string {
  const lost = `${listOf(names)} ${names.length === 1 ? "was" : "were"} lost`;
  if (left === 1) return `${lost}; this page computes alone until others join.`;
  return `${lost}; the ${left} ranks that are left compute ${names.length === 1 ? "its part" : "their parts"}, too.`;
}
