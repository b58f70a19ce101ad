/** The form that opens a lattice: text as typed, and what it means. */
import { usualOn } from "../../core/lattice/parameters.ts";
import type { LatticeModelSummary, LatticeParameterSummary, LatticeRequest } from "../../engine/api.ts";
import { parseNumber } from "../controls/numbers.ts";

export interface LatticeForm {
  readonly model: string;
  /** “256 × 256”. */
  readonly size: string;
  /** Of the latest size that could be read. */
  readonly axes: number;
  readonly seed: string;
  readonly start: string;
  /** Text of each parameter, by its name. */
  readonly parameters: Readonly<Record<string, string>>;
}

const maxSites = 2 ** 28;

/** What is usual for a model on so many axes, as text. */
const usualParameters = ({ parameters }: LatticeModelSummary, axes: number): Record<string, string> =>
  Object.fromEntries(parameters.map((parameter) => [parameter.name, String(usualOn(parameter, axes))]));

/** What is usual for a model, with the size and the seed of a former form. */
export function formFor(
  model: LatticeModelSummary,
  { size, axes, seed }: Pick<LatticeForm, "size" | "axes" | "seed"> = {
    size: "256 × 256",
    axes: 2,
    seed: "1",
  },
): LatticeForm {
  return {
    model: model.name,
    size,
    axes,
    seed,
    start: model.starts[0],
    parameters: usualParameters(model, axes),
  };
}

/** The form with another size: parameters that were the usual ones on the axes before are those on the new ones. */
export function withSize(model: LatticeModelSummary, form: LatticeForm, size: string): LatticeForm {
  const axes = parseSize(size)?.length ?? form.axes;
  const [before, after] = [usualParameters(model, form.axes), usualParameters(model, axes)];
  const parameters = Object.fromEntries(
    Object.entries(form.parameters).map(([name, text]) => [name, text === before[name] ? after[name] : text]),
  );
  return { ...form, size, axes, parameters };
}

/** Lengths of text such as “64 × 64 × 32” or “64x64x32”. */
export function parseSize(text: string): readonly number[] | undefined {
  const parts = text.trim().split(/\s*[x×*,]\s*|\s+/i);
  const lengths = parts.map(Number);
  return parts.every((part) => /^\d+$/.test(part)) && lengths.every((length) => length > 0)
    ? lengths
    : undefined;
}

/** What the form asks for, or the first thing that keeps it from being opened. */
export function readForm(
  model: LatticeModelSummary,
  { size, seed, start, parameters }: LatticeForm,
): { readonly request: LatticeRequest } | { readonly problem: string } {
  const lengths = parseSize(size);
  if (!lengths) return { problem: "Write the size as lengths, such as 256 × 256." };
  if (lengths.length > 10) return { problem: "A lattice has at most 10 axes." };
  if (lengths.reduce((product, length) => product * length, 1) > maxSites) {
    return { problem: "A lattice in the page has at most 2²⁸ sites." };
  }
  const seedNumber = parseNumber(seed);
  if (seedNumber === undefined || !Number.isSafeInteger(seedNumber) || seedNumber < 0) {
    return { problem: "The seed is a whole number from 0 on." };
  }
  const numbers: Record<string, number> = {};
  for (const { name, label, min, max, isFixed } of model.parameters) {
    const value = parseNumber(parameters[name] ?? "");
    const isFine = value !== undefined && value >= min && value <= max;
    if (!isFine || (isFixed && !Number.isInteger(value))) {
      const what = isFixed ? "a whole number" : "a number";
      return { problem: `${label}: give ${what} from ${min} to ${max}.` };
    }
    numbers[name] = value;
  }
  return {
    request: {
      kind: "lattice",
      model: model.name,
      size: lengths,
      seed: seedNumber,
      start,
      parameters: numbers,
    },
  };
}

/** The range of a parameter's slider on so many axes: of wide ranges what lies around the usual value, and the present one. */
export function sliderRange(
  parameter: Pick<LatticeParameterSummary, "min" | "max" | "default" | "defaultByAxes">,
  axes: number,
  value: number,
): { readonly min: number; readonly max: number } {
  const { min, max } = parameter;
  const usual = usualOn(parameter, axes);
  const reach = 3 * Math.abs(usual) || (max - min) / 4;
  return {
    min: Math.min(value, Math.max(min, usual - reach)),
    max: Math.max(value, Math.min(max, usual + reach)),
  };
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
