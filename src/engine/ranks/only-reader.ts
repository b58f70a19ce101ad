/**
 * What a person reads before a job over data that one rank alone can read; undefined where another one could read them after its
 * loss. `known` has what each rank knows of the data, null where it cannot read them.
 */
export function onlyReader(known: readonly unknown[], name: string): string | undefined {
  const readers = known.flatMap((each, rank) => (each === null ? [] : [rank]));
  if (known.length === 1 || readers.length > 1) return undefined;
  return `Only rank ${readers[0]} can read ${name}; if it is lost, the job cannot be repeated.`;
}
