import type { NetworkBuilder } from "../network/builder.ts";
import type { NodeId } from "../network/network.ts";
import type { CompositeFilter, Filter, ReductionFilter } from "./filter.ts";

const group = "Reductions";

const reduction = (
  name: string,
  statistic: ReductionFilter["statistic"],
  summary: string,
  example: string,
  aliases?: readonly string[],
): ReductionFilter => ({
  kind: "reduction",
  name,
  ...(aliases ? { aliases } : {}),
  doc: { signature: `${name}(f)`, summary, example, group },
  statistic,
  overloads: [{ inputs: ["scalar"], output: "scalar" }],
});

const minimum = reduction(
  "minimum",
  "min",
  "The least of all finite values of a field: one number. min(f) with one argument is the same.",
  "p - minimum(p)",
);
const maximum = reduction(
  "maximum",
  "max",
  "The greatest of all finite values of a field: one number. max(f) with one argument is the same.",
  "p / maximum(abs(p))",
);
const sum = reduction("sum", "sum", "The sum of all finite values of a field: one number.", "rho / sum(rho)");
const avg = reduction(
  "avg",
  "mean",
  "The mean of all finite values of a field: one number. Every value counts alike, whatever its cell's size.",
  "p - avg(p)",
  ["mean", "average"],
);

const composite = (
  name: string,
  summary: string,
  formula: string,
  example: string,
  expand: (network: NetworkBuilder, f: NodeId) => NodeId,
  aliases?: readonly string[],
): CompositeFilter => ({
  kind: "composite",
  name,
  ...(aliases ? { aliases } : {}),
  doc: { signature: `${name}(f)`, summary, formula, example, group },
  overloads: [{ inputs: ["scalar"], output: "scalar", expand: (network, [f]) => expand(network, f) }],
});

const meanSquare = (network: NetworkBuilder, f: NodeId): NodeId =>
  network.apply("avg", [network.apply("square", [f])]);

const rms = composite(
  "rms",
  "The root of the mean square of a field: one number.",
  "sqrt(avg(f^2))",
  "p / rms(p)",
  (network, f) => network.apply("sqrt", [meanSquare(network, f)]),
);

const spread = (network: NetworkBuilder, f: NodeId): NodeId =>
  meanSquare(network, network.apply("subtract", [f, network.apply("avg", [f])]));

const variance = composite(
  "variance",
  "The mean square of a field's distance from its mean: one number.",
  "avg((f - avg(f))^2)",
  "variance(p)",
  spread,
);

const stddev = composite(
  "stddev",
  "The standard deviation of a field: the root of its variance.",
  "sqrt(variance(f))",
  "(p - avg(p)) / stddev(p)",
  (network, f) => network.apply("sqrt", [spread(network, f)]),
  ["std"],
);

/** What makes one number of a field, which counts as a constant where it is used. */
export const reductions: readonly Filter[] = [minimum, maximum, sum, avg, rms, variance, stddev];
