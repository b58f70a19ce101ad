/** Checks of what requests say of models on lattices; models check what names and numbers mean. */
import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";

export type NamedNumbers = { readonly [name: string]: number };

/** What all runs of models have. */
export interface RunRequest {
  readonly model: string;
  readonly sweeps: number;
  readonly seed: number;
  /** Those that differ from the model's defaults. */
  readonly parameters: NamedNumbers;
  /** The model's usual one where it is null. */
  readonly start: string | null;
  readonly discard: number;
}

export const isWhole = (value: Value | undefined, min: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= min;

/** Lengths, the fastest axis first. */
export const isLengths = (value: Value | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((length) => isWhole(length, 1));

const isNumbers = (value: Value | undefined): value is NamedNumbers =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((number) => typeof number === "number");

/** Throws BadMessage. */
export function parseRun({
  model,
  sweeps,
  seed,
  parameters,
  start,
  discard,
}: Readonly<Record<string, Value>>): RunRequest {
  if (typeof model !== "string") throw badMessage("a simulation of no model");
  if (!isWhole(sweeps, 1) || !isWhole(seed, 0) || !isWhole(discard, 0) || discard >= sweeps)
    throw badMessage("a simulation of no sweeps");
  if (!isNumbers(parameters)) throw badMessage("parameters that are no numbers");
  if (start !== null && typeof start !== "string") throw badMessage("a start without a name");
  return { model, sweeps, seed, parameters, start, discard };
}
