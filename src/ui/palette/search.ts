/** What can be found, and how a query finds it. */
import type { FunctionDoc } from "../../lang/expression/editor/documentation.ts";

export const paletteGroups = ["Commands", "Layers", "Fields", "Functions"] as const;
export type PaletteGroup = (typeof paletteGroups)[number];

export interface PaletteEntry {
  readonly group: PaletteGroup;
  readonly title: string;
  /** Where it is, what it is, or which keys do the same. */
  readonly hint?: string;
  /** Other words for it, such as those of other programs. */
  readonly words?: string;
  readonly doc?: FunctionDoc;
  run(): void;
}

/** The entries that have every word of the query in them, the best first: by title, then by its words, then by what else is said. */
export function findEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries
    .map((entry, place) => ({ entry, place, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank < notFound)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ entry }) => entry);
}

const notFound = 5;

/** That of the word that fits worst. */
function rankOf({ title, hint = "", words = "", doc }: PaletteEntry, query: readonly string[]): number {
  const name = title.toLowerCase();
  const others = words.toLowerCase();
  const said = `${hint} ${doc?.summary ?? ""} ${doc?.group ?? ""}`.toLowerCase();
  const ranks = query.map((word) => {
    if (name.startsWith(word)) return 0;
    if (startsWord(name, word)) return 1;
    if (startsWord(others, word)) return 2;
    if (name.includes(word)) return 3;
    return startsWord(said, word) ? 4 : notFound;
  });
  return Math.max(...ranks);
}

const startsWord = (text: string, word: string): boolean =>
  text.startsWith(word) ||
  text.includes(` ${word}`) ||
  text.includes(`_${word}`) ||
  text.includes(`(${word}`);
