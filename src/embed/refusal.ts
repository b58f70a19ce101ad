import { CrinkleError } from "../core/errors.ts";
import { nearestName } from "../core/names.ts";

export const badArgument = (problem: string, remedy: string, cause?: unknown): CrinkleError =>
  new CrinkleError({ tag: "BadArgument", problem, remedy, cause });

/** How a value of any type reads in an error. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `“${value}”`;
  if (value === null || typeof value !== "object") return String(value);
  return `a value of type ${value.constructor?.name || "object"}`;
}

/** The value as an object with no other keys than these. Throws BadArgument. */
export function requireObject(
  value: unknown,
  what: string,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw badArgument(`${what} is ${shown(value)}.`, `Give an object with ${keys.join(", ")}.`);
  }
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    const close = nearestName(key, keys);
    throw badArgument(
      `${what} has no “${key}”.`,
      close ? `Did you mean “${close}”?` : `It has ${keys.join(", ")}.`,
    );
  }
  return value as Readonly<Record<string, unknown>>;
}

/** One of the choices. Throws BadArgument. */
export function requireChoice<const Choice extends string | number>(
  value: unknown,
  what: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const names = choices.filter((choice) => typeof choice === "string");
  const close = typeof value === "string" ? nearestName(value, names) : undefined;
  throw badArgument(
    `${what} is ${shown(value)}.`,
    close ? `Did you mean “${close}”?` : `It is one of ${choices.join(", ")}.`,
  );
}
