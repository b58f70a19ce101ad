import type { DataSet, Field } from "../../../../core/field.ts";
import { makeField } from "../../../../core/field.ts";
import type { Grid } from "../../../../core/grid.ts";
import type { Tolerance } from "../../../../core/testing/compare.ts";
import type { ElementFilter, ElementOverload } from "../../filters/filter.ts";
import { findFilter } from "../../filters/registry.ts";
import type { Network, NetworkNode, NodeId } from "../../network/network.ts";
import { componentsOf, type ExpressionType, type ValueType } from "../../types.ts";
import { randomNumbers } from "./data-sets.ts";

/** What one filter is tested with, where the defaults do not fit. */
export interface Trial {
  /** How far the GPU may be from the twin in f64. */
  readonly tolerance: Tolerance;
  /** Random inputs lie in here; [−10, 10] where it is left out. */
  readonly range?: readonly [number, number];
  /** Inputs that every argument also takes, in all combinations. */
  readonly special?: readonly number[];
  /** Makes of random arguments, in place, ones that the tolerance speaks of. */
  readonly adapt?: (row: number[]) => void;
}

const ulp = 2 ** -23;

const usual = [0, -0, 0.5, 1, -1, 1.5, 2, 2.5, -2.5, 3, 1e-6, 1e6, -1e6];
const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const small = [0, 0.5, 1, -1, 2, 2.5, -2.5, 3];
const everything = [...usual, ...notFinite, 1e-30, 3e38];

/**
 * Tolerances from WGSL's table of accuracy (§ 15.7.4): sums and products are correctly rounded, quotients within
 * 2.5 ULP; what the table gives as absolute errors is taken at its word.
 */
const exact: Trial = { tolerance: { relative: ulp, absolute: 1e-37 }, special: everything };

const trials: Readonly<Record<string, Trial>> = {
  divide: { tolerance: { relative: 3 * ulp, absolute: 1e-37 }, special: [...usual, ...notFinite] },
  // x − y·trunc(x/y) with one rounding at the size of x; where x is larger than 10, steps of 1/8 are exact.
  mod: {
    tolerance: { absolute: 10 * ulp },
    special: [0.125, 0.5, 1, 2.5, 8.5, 31, 5, -7, -2.5, 1000.125, ...notFinite, 0],
  },
  // exp2(y · log2 x): log2 within 3 ULP, of which exp2 makes |y log2 x| · 3 ULP, and 3 + 2|y log2 x| ULP of its own.
  pow: {
    tolerance: { relative: 5 * 40 * ulp },
    range: [0.1, 10],
    special: [0, 1, -1, 2, -2, 3, -3, 0.5, 1.5, 4, 7, ...notFinite],
  },
  // 1 / inverseSqrt: 2 ULP and a quotient.
  sqrt: { tolerance: { relative: 5 * ulp }, special: [0, -1, 1, 2, 1e-30, 1e30, 3e38, ...notFinite] },
  // 3 + 2|x| ULP.
  exp: {
    tolerance: { relative: 23 * ulp, absolute: 1e-37 },
    special: [0, 1, -1, 80, -80, 100, -100, ...notFinite],
  },
  // 2⁻²¹ between 0.5 and 2, 3 ULP elsewhere.
  ln: {
    tolerance: { relative: 3 * ulp, absolute: 2 ** -21 },
    range: [0.01, 100],
    special: [0, 1, 1e-30, 1e30, -1, ...notFinite],
  },
  log10: {
    tolerance: { relative: 5 * ulp, absolute: 2 ** -21 },
    range: [0.01, 100],
    special: [0, 1, 1e-30, 1e30, -1, ...notFinite],
  },
  // Polynomials of f32 on an eighth of a turn; up to 100,000, quarter turns come off exactly.
  sin: { tolerance: { absolute: 2 * ulp }, range: [-100000, 100000], special: [0, 1, -3, ...notFinite] },
  cos: { tolerance: { absolute: 2 * ulp }, range: [-100000, 100000], special: [0, 1, -3, ...notFinite] },
  // Their quotient, away from the poles.
  tan: { tolerance: { relative: 8 * ulp }, range: [-1.2, 1.2], special: [0, 99, -1e4, ...notFinite] },
  // From atan2, of 4096 ULP.
  asin: { tolerance: { absolute: 4096 * ulp }, range: [-1, 1], special: [0, 1, -1, 2, -2, Number.NaN] },
  acos: {
    tolerance: { absolute: 4096 * ulp * Math.PI },
    range: [-1, 1],
    special: [0, 1, -1, 2, -2, Number.NaN],
  },
  atan: { tolerance: { relative: 4096 * ulp }, special: [0, 1e6, -1e6] },
  atan2: {
    tolerance: { relative: 4096 * ulp, absolute: 1e-6 },
    special: [0, -0, 1, -1, 1e6, -1e6, ...notFinite],
  },
  // Both from exp at half the argument, squared.
  sinh: { tolerance: { relative: 40 * ulp }, special: [0, 1e-3, -1e-3, 0.999, 80, -80, Number.NaN] },
  cosh: { tolerance: { relative: 40 * ulp }, special: [0, 1e-3, 80, -80, Number.NaN] },
  tanh: { tolerance: { relative: 10 * ulp }, special: [0, 1e-3, -0.999, 1.001, 30, -100, ...notFinite] },
  deg2rad: { tolerance: { relative: 3 * ulp }, special: [0, 180, -90, ...notFinite] },
  rad2deg: { tolerance: { relative: 3 * ulp }, special: [0, Math.PI, ...notFinite] },
  // A sum of products loses digits to cancellation: absolute to the sum of their sizes, 3 · 10 · 10.
  dot: { tolerance: { absolute: 300 * 3 * ulp }, special: small },
  cross: { tolerance: { absolute: 200 * 3 * ulp }, special: small },
  matmul: { tolerance: { absolute: 300 * 3 * ulp }, special: small },
  trace: { tolerance: { absolute: 30 * 3 * ulp }, special: small },
  contraction: { tolerance: { absolute: 900 * 9 * ulp }, special: small },
  // Well conditioned: rows sum to at most 30 beside 40 on the diagonal. Singular ones are singular in f32, too.
  inverse: {
    tolerance: { absolute: 2 * ulp },
    special: [0, 1, 2, -3],
    adapt: (row) => {
      for (const i of [0, 4, 8]) row[i] += 40;
    },
  },
  // Fifteen rotations of a tensor of norm up to 30.
  eigenvalue: { tolerance: { absolute: 30 * 10 * ulp }, special: [...small, ...notFinite] },
  // Gershgorin's discs are 40 apart, the norm is at most 130: directions err by 130/40 of the roundings.
  eigenvector: {
    tolerance: { absolute: (130 / 40) * 10 * ulp },
    special: [],
    adapt: (row) => {
      row[0] -= 100;
      row[8] += 100;
    },
  },
  determinant: { tolerance: { absolute: 6000 * 4 * ulp }, special: small },
  curl_of_gradient: { tolerance: { absolute: 20 * ulp }, special: small },
  q_of_gradient: { tolerance: { absolute: 450 * 6 * ulp }, special: small },
  // λ₂ of a matrix of norm up to 3 · 10², a few dozen roundings.
  lambda2_of_gradient: { tolerance: { absolute: 300 * 30 * ulp }, special: small },
  // Where eigenvalues turn complex, the result is the root of a discriminant that a few roundings make.
  swirl_of_gradient: { tolerance: { absolute: 30 * Math.sqrt(4 * ulp) }, special: [...small, ...notFinite] },
  random_of_place: { tolerance: {}, special: [...usual, 1e-30, 3e38] },
  volume_of_size: { tolerance: { relative: 2 * ulp, absolute: 1e-37 }, special: small },
  area_of_size: { tolerance: { absolute: 600 * 3 * ulp }, special: small },
  // sqrt of a sum of squares.
  magnitude: { tolerance: { relative: 12 * ulp }, special: [0, 1, -2, 1e-30, 1e30, ...notFinite] },
  normalize: { tolerance: { absolute: 12 * ulp }, special: [0, 1, -2, 1e-30, 1e30, ...notFinite] },
};

export function trialOf(filter: ElementFilter): Trial {
  return trials[filter.name] ?? exact;
}

export interface OverloadCase {
  readonly dataSet: DataSet;
  readonly network: Network;
}

const maxElements = 4000;

/** A data set of random and special arguments on a line, and the network that applies one overload to them. */
export function overloadCase(filter: ElementFilter, overload: ElementOverload): OverloadCase {
  const { range = [-10, 10], special = usual, adapt } = trialOf(filter);
  const widths = overload.inputs.map(componentsOf);
  const total = widths.reduce((a, b) => a + b, 0);
  const random = randomNumbers(total * 7919 + filter.name.length);
  const rows: number[][] = [];
  for (const combination of combinations(special, Math.min(total, 3))) {
    rows.push(Array.from({ length: total }, (_, i) => combination[i % combination.length]));
  }
  while (rows.length < maxElements) {
    const row = Array.from({ length: total }, () => range[0] + (range[1] - range[0]) * random());
    adapt?.(row);
    rows.push(row);
  }
  const grid: Grid = { kind: "uniform", dims: [rows.length, 1, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
  const fields: Field[] = [];
  let from = 0;
  widths.forEach((width, k) => {
    const isBool = overload.inputs[k] === "bool";
    const values = rows
      .flatMap((row) => row.slice(from, from + width))
      .map((v) => (isBool ? Number(v > 0) : v));
    fields.push(makeField(grid, `f${k}`, "node", width, Float32Array.from(values)));
    from += width;
  });
  return {
    dataSet: { name: filter.name, grid, fields, notes: [] },
    network: networkOf(filter, overload),
  };
}

function* combinations(values: readonly number[], length: number): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const rest of combinations(values, length - 1)) for (const value of values) yield [...rest, value];
}

/** One overload applied to the fields f0, f1, … of a data set. */
export function networkOf(filter: ElementFilter, overload: ElementOverload): Network {
  const nodes: NetworkNode[] = [];
  const typed = (value: ValueType): ExpressionType => ({ value, placement: "node" });
  const inputs = overload.inputs.map((type, k): NodeId => {
    const isBool = type === "bool";
    const source = nodes.push({ kind: "source", field: `f${k}`, type: typed(isBool ? "scalar" : type) }) - 1;
    return isBool ? nodes.push(isPositive(nodes, source, typed("bool"))) - 1 : source;
  });
  const result = nodes.push({ kind: "element", filter, overload, inputs, type: typed(overload.output) }) - 1;
  return { nodes, outputs: [{ name: "result", node: result }], notes: [] };
}

function isPositive(nodes: NetworkNode[], input: NodeId, type: ExpressionType): NetworkNode {
  const filter = findFilter("gt") as ElementFilter;
  const zero =
    nodes.push({ kind: "constant", values: [0], type: { value: "scalar", placement: "constant" } }) - 1;
  return { kind: "element", filter, overload: filter.overloads[0], inputs: [input, zero], type };
}
