/** The complete examples of a Markdown text, by the file names that their fences give. */
export function examplesIn(markdown: string): ReadonlyMap<string, string> {
  const fences = markdown.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms);
  return new Map(Array.from(fences, ([, name, text]) => [name, text]));
}
