import { CrinkleError } from "../../core/errors.ts";
import type { Triple } from "../../core/grid.ts";

/** Checks that a JSON value has type T; `place` names it in errors: "layers[2].shape.field". */
export type Reader<T> = (value: unknown, place: string) => T;

/** Throws an error with the place, what is expected there, and what was found. */
function refuse(place: string, expected: string, value: unknown): never {
  throw new CrinkleError({
    tag: "BadFile",
    problem: `${capital(place || "the view")} must be ${expected}, but is ${spelled(value)}.`,
    remedy: "Save the view again in the page that wrote it, or correct this entry of the file.",
  });
}

const capital = (place: string): string => (place.startsWith("the ") ? `T${place.slice(1)}` : place);

function spelled(value: unknown): string {
  if (value === undefined) return "missing";
  const text = jsonOf(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "nested too deeply to show here";
  }
}

export const text: Reader<string> = (value, place) =>
  typeof value === "string" ? value : refuse(place, "a text", value);

export const number: Reader<number> = (value, place) =>
  typeof value === "number" && Number.isFinite(value) ? value : refuse(place, "a number", value);

export const boolean: Reader<boolean> = (value, place) =>
  typeof value === "boolean" ? value : refuse(place, "true or false", value);

/** What `read` accepts and `holds` confirms; `expected` describes it in words. */
export const that =
  <T>(read: Reader<T>, expected: string, holds: (value: T) => boolean): Reader<T> =>
  (value, place) => {
    const taken = read(value, place);
    return holds(taken) ? taken : refuse(place, expected, value);
  };

export const oneOf =
  <const T extends string | number>(...choices: readonly T[]): Reader<T> =>
  (value, place) =>
    choices.find((choice) => choice === value) ??
    refuse(place, `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, value);

export const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, place) =>
    value === undefined || value === null ? undefined : read(value, place);

export const list =
  <T>(read: Reader<T>, { min = 0, max = 1000 } = {}): Reader<readonly T[]> =>
  (value, place) => {
    if (!Array.isArray(value)) return refuse(place, "a list", value);
    if (value.length < min || value.length > max)
      return refuse(place, `a list of ${min} to ${max} entries`, value);
    return value.map((entry, i) => read(entry, `${place}[${i}]`));
  };

export const triple: Reader<Triple> = (value, place) => {
  const [x, y, z] = list(number, { min: 3, max: 3 })(value, place);
  return [x, y, z];
};

export const pair: Reader<readonly [number, number]> = (value, place) => {
  const [first, second] = list(number, { min: 2, max: 2 })(value, place);
  return [first, second];
};

type Readers<T> = { readonly [Key in keyof T]-?: Reader<T[Key]> };

/** An object with these entries; others are dropped. */
export const record =
  <T extends object>(readers: Readers<T>): Reader<T> =>
  (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return refuse(place, "an object", value);
    const entries = Object.entries<Reader<unknown>>(readers).map(([key, read]) => [
      key,
      read((value as Record<string, unknown>)[key], place ? `${place}.${key}` : key),
    ]);
    return Object.fromEntries(entries) as T;
  };

type Kinds<T extends { readonly kind: string }> = {
  readonly [Kind in T["kind"]]: Reader<Extract<T, { readonly kind: Kind }>>;
};

/** An object of one of several kinds, distinguished by `kind`. */
export const variant =
  <T extends { readonly kind: string }>(readers: Kinds<T>): Reader<T> =>
  (value, place) => {
    const { kind } = record({ kind: oneOf(...(Object.keys(readers) as T["kind"][])) })(value, place);
    return readers[kind](value, place) as T;
  };
