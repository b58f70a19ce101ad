/** The form that varies a parameter: text as typed, and what it means. */
import { usualOn } from "../../core/lattice/parameters.ts";
import type { LatticeModelSummary, LatticePoint, LatticeVariation } from "../../engine/api.ts";
import { type ChartData, withUnit } from "../charts/chart-data.ts";
import { parseNumber } from "../controls/numbers.ts";
import { parseSize } from "./lattice-form.ts";

export interface VariationForm {
  readonly parameter: string;
  readonly from: string;
  readonly to: string;
  readonly count: string;
  /** “16 × 16, 32 × 32”. */
  readonly sizes: string;
  readonly sweeps: string;
}

const maxRuns = 400;

/** Around the usual value of the first parameter, on two sizes of as many axes as the lattice has. */
export function variationFor(model: LatticeModelSummary, axes: number): VariationForm | undefined {
  const varied = model.parameters.find(({ isFixed }) => !isFixed);
  if (!varied) return undefined;
  const { name, min, max } = varied;
  const usual = usualOn(varied, axes);
  const sides = axes > 2 ? [6, 8] : [16, 32];
  return {
    parameter: name,
    from: String(Number(Math.max(min, 0.75 * usual).toPrecision(3))),
    to: String(Number(Math.min(max, 1.25 * usual || 1).toPrecision(3))),
    count: "11",
    sizes: sides.map((side) => new Array(axes).fill(side).join(" × ")).join(", "),
    sweeps: "2000",
  };
}

/** What the form asks for, or the first thing that keeps it from being run. */
export function readVariation(
  model: LatticeModelSummary,
  { parameter, from, to, count, sizes, sweeps }: VariationForm,
  parameters: Readonly<Record<string, number>>,
): { readonly variation: LatticeVariation } | { readonly problem: string } {
  const [first, last, steps, each] = [from, to, count, sweeps].map((text) => parseNumber(text));
  if (first === undefined || last === undefined)
    return { problem: "The first and the last value are numbers." };
  const lengths = sizes.split(/[,;]/).map(parseSize);
  if (lengths.some((length) => length === undefined)) {
    return { problem: "Write sizes as lengths, separated by commas, such as 16 × 16, 32 × 32." };
  }
  if (steps === undefined || !Number.isInteger(steps) || steps < 2 || steps * lengths.length > maxRuns) {
    return { problem: `Give at least 2 values, and at most ${maxRuns} runs of all sizes together.` };
  }
  if (each === undefined || !Number.isInteger(each) || each < 1 || each > 1e6) {
    return { problem: "The sweeps of a run are a whole number from 1 to 1,000,000." };
  }
  const values = Array.from({ length: steps }, (_, k) =>
    Number((first + ((last - first) * k) / (steps - 1)).toPrecision(10)),
  );
  return {
    variation: {
      model: model.name,
      sizes: lengths.filter((length) => length !== undefined),
      parameter,
      values,
      parameters,
      sweeps: each,
      seed: 1,
    },
  };
}

/** Where a phase transition of a model in two dimensions is known exactly (Onsager 1944; Potts 1952). */
function exactTransition(
  model: string,
  axes: number,
  states: number,
): { x: number; text: string } | undefined {
  if (axes !== 2) return undefined;
  const text = "exact critical point";
  if (model.startsWith("ising") || model === "kawasaki") {
    return { x: 2 / Math.log(1 + Math.SQRT2), text };
  }
  return model.startsWith("potts") ? { x: 1 / Math.log(1 + Math.sqrt(states)), text } : undefined;
}

/** The curves of a measure: a line for each size, with its errors. */
export function curvesOf(
  { parameters: known, measures }: Pick<LatticeModelSummary, "parameters" | "measures">,
  points: readonly LatticePoint[],
  measure: string,
  { model, parameter, parameters }: LatticeVariation,
): ChartData {
  const sizes = [...new Set(points.map(({ size }) => size.join(" × ")))];
  const transition =
    parameter === "temperature"
      ? exactTransition(model, points[0]?.size.length ?? 0, parameters.states ?? 2)
      : undefined;
  const values = points.map(({ value }) => value);
  const isInside = transition && transition.x >= Math.min(...values) && transition.x <= Math.max(...values);
  const { label, unit } = measures[measure] ?? { label: measure };
  const varied = known.find(({ name }) => name === parameter);
  return {
    title: label,
    xName: withUnit(varied?.label ?? parameter, varied?.unit),
    yName: withUnit(label, unit),
    hasPoints: true,
    lines: sizes.map((size) => {
      const own = points.filter((point) => point.size.join(" × ") === size);
      return {
        name: size,
        x: own.map(({ value }) => value),
        y: own.map((point) => point.measures[measure].mean),
        errors: own.map((point) => point.measures[measure].error ?? Number.NaN),
      };
    }),
    ...(isInside ? { mark: transition } : {}),
  };
}
