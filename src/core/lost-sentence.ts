/** Says which ranks were lost while a job ran. */
export function lostSentence(names: readonly string[]): string {
  const list = new Intl.ListFormat("en").format(names);
  return names.length === 1
    ? `${list} was lost; the others computed its part, too.`
    : `${list} were lost; the others computed their parts, too.`;
}
