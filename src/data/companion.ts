import { CrinkleError } from "../core/errors.ts";
import type { Source } from "./source.ts";

/** Finds a file that the one being read refers to by name. */
export type FindCompanion = (name: string) => Source | undefined;

/** The file in which a header keeps its values: by its path as written, or by its name alone. Throws BadFile. */
export function companionOf(header: string, name: string, find: FindCompanion | undefined): Source {
  const companion = find?.(name) ?? find?.(name.replace(/^.*[/\\]/, ""));
  if (companion) return companion;
  throw new CrinkleError({
    tag: "BadFile",
    problem: `“${header}” keeps its values in “${name}”, which is missing.`,
    remedy: "Open both files together.",
  });
}
