import type {
  CompositeFilter,
  CompositeOverload,
  Filter,
  StencilFilter,
  StencilInput,
  StencilOverload,
} from "./filter.ts";
import { median } from "./median.ts";
import { parameterValue, variantName } from "./parameters.ts";

const group = "Filters";
const axes = ["x", "y", "z"] as const;
const smoothedTypes = ["scalar", "vec2", "vec3"] as const;

/** Σ weights[|j|] · f[i + j] along one axis, indices clamped to the grid. `divisor` divides the sum. */
function weightedSum(
  type: StencilInput,
  axis: number,
  weights: readonly number[],
  divisor: number,
): StencilOverload {
  const value = (by: number) => `f(${axes.map((_, other) => (other === axis ? by : 0)).join(", ")})`;
  const times = (weight: number, what: string) => (weight === 1 ? what : `${weight} * ${what}`);
  const terms = weights.map((weight, j) =>
    times(weight, j === 0 ? value(0) : `(${value(-j)} + ${value(j)})`),
  );
  return {
    inputs: [type],
    output: type,
    radius: axis === 2 ? weights.length - 1 : 0,
    text: [
      `var sum = ${terms[0]};`,
      ...terms.slice(1).map((term) => `sum += ${term};`),
      `out.mean = ${divisor === 1 ? "sum" : `sum / ${divisor}.0`};`,
    ].join("\n"),
    results: [{ name: "mean", first: 0, step: 1 }],
  };
}

interface Kernel {
  readonly weights: readonly number[];
  readonly divisor: number;
}

interface Smoother {
  readonly name: string;
  readonly doc: Omit<CompositeFilter["doc"], "group">;
  readonly rule: string;
  accepts(parameter: number): boolean;
  /** The parameter where none is given. */
  readonly usual: number;
  kernel(parameter: number): Kernel;
}

/** A filter whose weights are products of weights along x, y and z, as three passes of one axis each. */
function separable({ name, doc, rule, accepts, usual, kernel }: Smoother): readonly Filter[] {
  const family = (axis: number) => `${name}_along_${axes[axis]}`;
  const pass = (axis: number, filterName: string, parameter: number): StencilFilter => {
    const { weights, divisor } = kernel(parameter);
    return {
      kind: "stencil",
      name: filterName,
      internal: true,
      doc: {
        signature: `${family(axis)}(f)`,
        summary: `${name} along ${axes[axis]} alone.`,
        example: `${family(axis)}(p)`,
        group,
      },
      overloads: smoothedTypes.map((type) => weightedSum(type, axis, weights, divisor)),
      parameter: {
        rule,
        accepts,
        make: (value) => pass(axis, variantName(family(axis), value), value),
      },
    };
  };
  const smooth: CompositeOverload["expand"] = (network, [field, given], span) => {
    const value =
      given === undefined ? usual : parameterValue(network, filter.doc, { rule, accepts }, given, span);
    return axes.reduce(
      (input, _, axis) => network.apply(variantName(family(axis), value), [input], span),
      field,
    );
  };
  const filter: CompositeFilter = {
    kind: "composite",
    name,
    doc: { ...doc, group },
    overloads: smoothedTypes.flatMap((type): CompositeOverload[] => [
      { inputs: [type], output: type, expand: smooth },
      { inputs: [type, "scalar"], output: type, expand: smooth },
    ]),
  };
  return [filter, ...axes.map((_, axis) => pass(axis, family(axis), usual))];
}

const widestMean = 17;
const largestSigma = 4;

/** Values of the normal distribution out to 4 σ, which holds all but 6 · 10⁻⁵ of it, made to sum to 1. */
function normalWeights(sigma: number): Kernel {
  const radius = Math.max(1, Math.floor(4 * sigma + 0.5));
  const raw = Array.from({ length: radius + 1 }, (_, j) => Math.exp((-0.5 * j * j) / (sigma * sigma)));
  const sum = raw.reduce((total, weight, j) => total + (j === 0 ? weight : 2 * weight), 0);
  return { weights: raw.map((weight) => weight / sum), divisor: 1 };
}

/** Weights count points, not lengths; beyond the border its nearest values repeat. */
export const smoothing: readonly Filter[] = [
  ...separable({
    name: "mean_filter",
    doc: {
      signature: "mean_filter(f, width)",
      summary: `Mean of the values in the cube of width × width × width points around each (odd, default 3, at most ${widestMean}). Beyond the border the nearest values repeat.`,
      example: "mean_filter(p, 5)",
    },
    rule: `needs a width that is an odd number from 1 to ${widestMean}`,
    accepts: (width) => width % 2 === 1 && width >= 1 && width <= widestMean,
    usual: 3,
    kernel: (width) => ({ weights: new Array((width + 1) / 2).fill(1), divisor: width }),
  }),
  median,
  ...separable({
    name: "gaussian",
    doc: {
      signature: "gaussian(f, sigma)",
      summary: `Mean of the values around each, weighted by the normal distribution of standard deviation sigma, in points (default 1, at most ${largestSigma}), cut off at 4 sigma. Beyond the border the nearest values repeat.`,
      formula: "Σ exp(-r² / 2σ²) f / Σ exp(-r² / 2σ²)",
      example: "gaussian(p, 1.5)",
    },
    rule: `needs a sigma from 0.1 to ${largestSigma}`,
    accepts: (sigma) => sigma >= 0.1 && sigma <= largestSigma,
    usual: 1,
    kernel: normalWeights,
  }),
];
