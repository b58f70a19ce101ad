/** The options of `lattice.simulate` and `lattice.vary`, checked. */
import type { Numbers } from "../core/lattice/model.ts";
import type { VariedPoint } from "../core/lattice/vary.ts";
import { readDevice } from "./read-options.ts";
import { badArgument, requireObject, shown } from "./refusal.ts";

const commonNames = ["sweeps", "seed", "parameters", "start", "discard", "device", "onProgress", "signal"];

const isLengths = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((length) => typeof length === "number");

function whole(name: string, value: unknown, min: number, max: number): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw badArgument(`The option ${name} is ${shown(value)}.`, `Give a whole number from ${min} to ${max}.`);
}

/** Throws BadArgument. */
function callback<T>(name: string, value: unknown, of: string): ((given: T) => void) | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "function") return value as (given: T) => void;
  throw badArgument(`The option ${name} is ${shown(value)}.`, `Give a function of ${of}.`);
}

function readCommon(options: Readonly<Record<string, unknown>>) {
  const { parameters = {}, start, device = "auto", onProgress, signal } = options;
  if (start !== undefined && typeof start !== "string")
    throw badArgument(`The option start is ${shown(start)}.`, "Give a start's name.");
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw badArgument(`The option signal is ${shown(signal)}.`, "Give the signal of an AbortController.");
  if (parameters === null || typeof parameters !== "object")
    throw badArgument(`The option parameters is ${shown(parameters)}.`, "Give numbers by their names.");
  const sweeps = whole("sweeps", options.sweeps, 1, 2 ** 32 - 1);
  const { seed = 1, discard = Math.floor(sweeps / 5) } = options;
  return {
    sweeps,
    seed: whole("seed", seed, 0, Number.MAX_SAFE_INTEGER),
    discard: whole("discard", discard, 0, sweeps - 1),
    parameters: parameters as Numbers,
    start,
    device: readDevice(device),
    onProgress: callback<number>("onProgress", onProgress, "a number"),
    signal,
  };
}

/** Throws BadArgument. */
export function readSimulateOptions(given: unknown) {
  const options = requireObject(given, "The options of lattice.simulate", [
    "size",
    "structureEvery",
    ...commonNames,
  ]);
  const { size, structureEvery } = options;
  if (!isLengths(size)) throw badArgument(`The option size is ${shown(size)}.`, "Give an array of lengths.");
  const common = readCommon(options);
  return {
    ...common,
    size,
    structureEvery:
      structureEvery === undefined ? undefined : whole("structureEvery", structureEvery, 1, common.sweeps),
  };
}

/** Throws BadArgument. */
export function readVaryOptions(given: unknown) {
  const options = requireObject(given, "The options of lattice.vary", [
    "sizes",
    "parameter",
    "values",
    "onPoint",
    ...commonNames,
  ]);
  const { sizes, parameter, values, onPoint } = options;
  if (!Array.isArray(sizes) || sizes.length === 0 || !sizes.every(isLengths))
    throw badArgument(`The option sizes is ${shown(sizes)}.`, "Give an array of arrays of lengths.");
  if (typeof parameter !== "string")
    throw badArgument(`The option parameter is ${shown(parameter)}.`, "Give a parameter's name.");
  if (!isLengths(values) || values.length === 0)
    throw badArgument(`The option values is ${shown(values)}.`, "Give an array of numbers.");
  return {
    ...readCommon(options),
    sizes: sizes as readonly (readonly number[])[],
    parameter,
    values,
    onPoint: callback<VariedPoint>("onPoint", onPoint, "a point"),
  };
}
