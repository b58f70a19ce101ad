import type { Quantity } from "../../../core/quantity.ts";
import type { Statistics } from "../../../core/statistics.ts";
import { distributions } from "./distributions.ts";
import type { CompositeFilter, Filter, FilterBuilder, ReductionFilter, ScalarValues } from "./filter.ts";

const group = "Reductions";

const number = (...components: readonly number[]): Quantity => ({ kind: "number", components });

const reduction = (
  name: string,
  measured: (statistics: Statistics) => number,
  summary: string,
  example: string,
  aliases: readonly string[] = [],
): ReductionFilter => ({
  kind: "reduction",
  name,
  aliases,
  doc: { signature: `${name}(f)`, summary, example, group },
  overloads: [{ inputs: ["scalar"], output: "scalar" }],
  keepsNumbers: true,
  reduce: async (values) => number(measured(await values.statistics())),
});

const minimum = reduction(
  "minimum",
  ({ min }) => min,
  "The smallest of all finite values of a field: one number. min(f) with one argument is the same.",
  "p - minimum(p)",
);
const maximum = reduction(
  "maximum",
  ({ max }) => max,
  "The largest of all finite values of a field: one number. max(f) with one argument is the same.",
  "p / maximum(abs(p))",
);
const sum: ReductionFilter = {
  ...reduction(
    "sum",
    ({ mean, nan, infinite, count }) => (count === nan + infinite ? 0 : mean * (count - nan - infinite)),
    "The sum of all finite values of a field: one number.",
    "rho / sum(rho)",
  ),
  keepsNumbers: false,
};
const avg = reduction(
  "avg",
  ({ mean }) => mean,
  "The mean of all finite values of a field: one number. All values count equally, whatever the sizes of their cells.",
  "p - avg(p)",
  ["mean", "average"],
);

const position = (
  name: string,
  extremum: (statistics: Statistics) => number,
  which: "smallest" | "largest",
  example: string,
  aliases: readonly string[],
): ReductionFilter => ({
  kind: "reduction",
  name,
  aliases,
  doc: {
    signature: `${name}(f)`,
    summary: `Position of the ${which} of all finite values, in the grid's physical units: one vector. Of several equal values the first counts, x fastest.`,
    example,
    group,
  },
  overloads: [{ inputs: ["scalar"], output: "vec3" }],
  reduce: async (values: ScalarValues) => {
    const value = extremum(await values.statistics());
    return Number.isNaN(value) ? number(value, value, value) : number(...(await values.positionOf(value)));
  },
});

const minimumPosition = position(
  "min_position",
  ({ min }) => min,
  "smallest",
  "magnitude(coords() - min_position(p))",
  ["argmin", "minimum_position"],
);
const maximumPosition = position(
  "max_position",
  ({ max }) => max,
  "largest",
  "magnitude(coords() - max_position(p))",
  ["argmax", "maximum_position"],
);

const composite = (
  name: string,
  summary: string,
  formula: string,
  example: string,
  expand: <Value>(builder: FilterBuilder<Value>, f: Value) => Value,
  aliases?: readonly string[],
): CompositeFilter => ({
  kind: "composite",
  name,
  ...(aliases ? { aliases } : {}),
  doc: { signature: `${name}(f)`, summary, formula, example, group },
  overloads: [{ inputs: ["scalar"], output: "scalar", expand: (builder, [f]) => expand(builder, f) }],
});

const meanSquare = <Value>(builder: FilterBuilder<Value>, f: Value): Value =>
  builder.apply("avg", [builder.apply("square", [f])]);

const rms = composite(
  "rms",
  "The root of the mean square of a field: one number.",
  "sqrt(avg(f^2))",
  "p / rms(p)",
  (builder, f) => builder.apply("sqrt", [meanSquare(builder, f)]),
);

const spread = <Value>(builder: FilterBuilder<Value>, f: Value): Value =>
  meanSquare(builder, builder.apply("subtract", [f, builder.apply("avg", [f])]));

const variance = composite(
  "variance",
  "The mean square of a field's deviation from its mean: one number.",
  "avg((f - avg(f))^2)",
  "variance(p)",
  spread,
);

const stddev = composite(
  "stddev",
  "The standard deviation of a field: the root of its variance.",
  "sqrt(variance(f))",
  "(p - avg(p)) / stddev(p)",
  (builder, f) => builder.apply("sqrt", [spread(builder, f)]),
  ["std"],
);

/** What makes one result of all values of a field; a number or a vector counts as a constant where it is used. */
export const reductions: readonly Filter[] = [
  minimum,
  maximum,
  minimumPosition,
  maximumPosition,
  sum,
  avg,
  rms,
  variance,
  stddev,
  ...distributions,
];
