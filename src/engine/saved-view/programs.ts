/** A text that was computed. */
export interface Program {
  readonly text: string;
  /** Names of the results that it made. */
  readonly made: readonly string[];
  /** Those that are neither removed nor replaced by a later text. */
  readonly kept: readonly string[];
}

/** Adds a computed text: its results replace those of the same names. */
export function afterCompute(
  programs: readonly Program[],
  text: string,
  made: readonly string[],
): readonly Program[] {
  return pruned([...without(programs, made), { text, made, kept: made }]);
}

/** Removes results. */
export function afterRemoval(programs: readonly Program[], names: readonly string[]): readonly Program[] {
  return pruned(without(programs, names));
}

export function keptNames(programs: readonly Program[]): readonly string[] {
  return programs.flatMap(({ kept }) => kept);
}

/** The steps from one list of programs to another. */
export interface Replay {
  /** Texts to compute, in this order. */
  readonly texts: readonly string[];
  /** Results to remove afterwards, if present. */
  readonly names: readonly string[];
}

export function replayBetween(former: readonly Program[], latest: readonly Program[]): Replay {
  const makers = new Map(former.flatMap(({ text, kept }) => kept.map((name) => [name, text])));
  const isThere = latest.every(({ text, kept }) => kept.every((name) => makers.get(name) === text));
  const isPrefix = former.every(
    ({ text, kept }, i) => latest[i]?.text === text && latest[i].kept.every((name) => kept.includes(name)),
  );
  const rest = isThere ? [] : isPrefix ? latest.slice(former.length) : latest;
  const kept = new Set(keptNames(latest));
  const all = [...keptNames(former), ...rest.flatMap(({ made }) => made)];
  return { texts: rest.map(({ text }) => text), names: [...new Set(all)].filter((name) => !kept.has(name)) };
}

function without(programs: readonly Program[], names: readonly string[]): readonly Program[] {
  return programs.map((program) => ({
    ...program,
    kept: program.kept.filter((name) => !names.includes(name)),
  }));
}

/** Drops the texts that have no results left and on which no later text builds. */
function pruned(programs: readonly Program[]): readonly Program[] {
  const needed: Program[] = [];
  for (const program of programs.toReversed()) {
    const isUsed = () => needed.some(({ text }) => program.made.some((name) => usesName(text, name)));
    if (program.kept.length > 0 || isUsed()) needed.unshift(program);
  }
  return needed;
}

/** Whether a text may build on a name: the name occurs other than before an equals sign. */
export function usesName(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_]|"?\\s*=(?!=))`, "u").test(text);
}
