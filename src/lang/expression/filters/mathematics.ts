import { finite } from "../../../gpu/shader/finite.ts";
import type { Fragment } from "../../../gpu/shader/fragment.ts";
import { arcCosine, arcSine, cosine, sine, tangent } from "./circular.ts";
import { mapOverload, zipOverload } from "./elementwise.ts";
import type { ElementFilter } from "./filter.ts";
import {
  each,
  eachPair,
  type MapLoop,
  maxima,
  minima,
  roots,
  sizes,
  squares,
  type ZipLoop,
} from "./loops.ts";
import { minusInfinity, nan } from "./special-values.ts";

const group = "Mathematics";

interface ScalarFunction {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly formula?: string;
  readonly example: string;
  readonly fragments?: readonly Fragment[];
}

function unary(
  { name, aliases, summary, formula, example, fragments }: ScalarFunction,
  wgsl: (x: string) => string,
  cpu: MapLoop,
): ElementFilter {
  return {
    kind: "element",
    name,
    aliases,
    doc: { signature: `${name}(a)`, summary, formula, example, group },
    overloads: [mapOverload("scalar", wgsl, cpu, { fragments })],
  };
}

interface BinaryOptions {
  readonly signature?: string;
  readonly commutative?: boolean;
  readonly ofOne?: string;
}

function binary(
  { name, aliases, summary, formula, example, fragments }: ScalarFunction,
  wgsl: (a: string, b: string) => string,
  cpu: ZipLoop,
  { signature = `${name}(a, b)`, commutative = false, ofOne }: BinaryOptions = {},
): ElementFilter {
  return {
    kind: "element",
    name,
    aliases,
    commutative,
    ...(ofOne ? { ofOne } : {}),
    doc: { signature, summary, formula, example, group },
    overloads: [zipOverload("scalar", "scalar", wgsl, cpu, { fragments })],
  };
}

const exponential: Fragment = {
  name: "exponential",
  requires: [finite],
  code: /* wgsl */ `
fn exponential(x: f32) -> f32 {
  return select(exp(x), x, is_nan(x));
}
`,
};

/** The nearest whole number, ties to the even one: IEEE 754's default and WGSL's round. */
function roundHalfEven(x: number): number {
  const low = Math.floor(x);
  const part = x - low;
  if (part < 0.5) return low;
  if (part > 0.5) return low + 1;
  return low % 2 === 0 ? low : low + 1;
}

const signOf: Fragment = {
  name: "sign",
  requires: [finite],
  code: /* wgsl */ `
fn sign_of(x: f32) -> f32 {
  return select(sign(x), x, is_nan(x));
}
`,
};

/** WGSL leaves min and max of NaN open; here, as in IEEE 754-2019's minimum, one NaN makes the result NaN. */
const extremum = (name: string): Fragment => ({
  name: `${name}`,
  requires: [finite],
  code: /* wgsl */ `
fn ${name}_of(a: f32, b: f32) -> f32 {
  return select(select(${name}(a, b), b, is_nan(b)), a, is_nan(a));
}
`,
});

const squareRoot: Fragment = {
  name: "square root",
  requires: nan.fragments,
  code: /* wgsl */ `
fn square_root(x: f32) -> f32 {
  return select(${nan.wgsl}, sqrt(max(x, 0.0)), x >= 0.0);
}
`,
};

const naturalLogarithm: Fragment = {
  name: "natural logarithm",
  requires: nan.fragments,
  code: /* wgsl */ `
fn natural_logarithm(x: f32) -> f32 {
  if (x > 0.0) { return log(x); }
  return select(${nan.wgsl}, ${minusInfinity.wgsl}, x == 0.0);
}
`,
};

/** Zeros of either sign mean the same, as GPUs need not tell them apart: the twin of `angle`. */
function angleOf(y: number, x: number): number {
  return Math.atan2(y === 0 ? 0 : y, x === 0 ? 0 : x);
}

/** atan2(0, 0) is 0, as in C; WGSL leaves it open. */
const angle: Fragment = {
  name: "angle",
  requires: [finite, ...nan.fragments],
  code: /* wgsl */ `
fn angle(y: f32, x: f32) -> f32 {
  if (is_nan(x) || is_nan(y)) { return ${nan.wgsl}; }
  return select(atan2(y, x), select(0.0, 3.1415927, x < 0.0), y == 0.0);
}
`,
};

/** (e^a − e^−a)/2 cancels near 0, where a series of three terms is exact to f32's last bit. */
const hyperbolicSine: Fragment = {
  name: "hyperbolic sine",
  requires: [exponential],
  code: /* wgsl */ `
fn hyperbolic_sine(x: f32) -> f32 {
  let square = x * x;
  let series = x * (1.0 + square * (1.0 / 6.0 + square * (1.0 / 120.0 + square / 5040.0)));
  let half = exponential(0.5 * abs(x));
  let far = 0.5 * half * half - 0.5 / half / half;
  return select(select(far, -far, x < 0.0), series, abs(x) < 1.0);
}
`,
};

const hyperbolicCosine: Fragment = {
  name: "hyperbolic cosine",
  requires: [exponential],
  code: /* wgsl */ `
fn hyperbolic_cosine(x: f32) -> f32 {
  let half = exponential(0.5 * abs(x));
  return 0.5 * half * half + 0.5 / half / half;
}
`,
};

/** 1 − 2/(e^2|a| + 1) cannot overflow to ∞/∞; near 0 a continued fraction avoids its cancellation. */
const hyperbolicTangent: Fragment = {
  name: "hyperbolic tangent",
  requires: [finite],
  code: /* wgsl */ `
fn hyperbolic_tangent(x: f32) -> f32 {
  let square = x * x;
  let near = x / (1.0 + square / (3.0 + square / (5.0 + square / (7.0 + square / 9.0))));
  let far = 1.0 - 2.0 / (exp(2.0 * min(abs(x), 20.0)) + 1.0);
  return select(select(select(far, -far, x < 0.0), near, abs(x) < 1.0), x, is_nan(x));
}
`,
};

export const mathematics: readonly ElementFilter[] = [
  unary(
    {
      name: "sqrt",
      summary: "Square root; not a number for a negative argument.",
      example: "sqrt(u*u + v*v)",
      fragments: [squareRoot],
    },
    (x) => `square_root(${x})`,
    roots,
  ),
  unary(
    { name: "square", summary: "The square of the value.", example: "square(u)" },
    (x) => `${x} * ${x}`,
    squares,
  ),
  unary(
    { name: "exp", summary: "e to the power a.", example: "exp(-r)", fragments: [exponential] },
    (x) => `exponential(${x})`,
    each(Math.exp),
  ),
  unary(
    {
      name: "ln",
      aliases: ["log"],
      summary: "Natural logarithm; log is the same.",
      example: "ln(rho)",
      fragments: [naturalLogarithm],
    },
    (x) => `natural_logarithm(${x})`,
    each(Math.log),
  ),
  unary(
    {
      name: "log10",
      summary: "Logarithm to the base 10.",
      example: "log10(p)",
      fragments: [naturalLogarithm],
    },
    (x) => `natural_logarithm(${x}) * 0.4342944819032518`,
    each(Math.log10),
  ),
  unary(
    { name: "abs", summary: "The value without its sign.", example: "abs(p - 1)" },
    (x) => `abs(${x})`,
    sizes,
  ),
  unary(
    {
      name: "sign",
      summary: "1 where a is positive, -1 where it is negative, 0 elsewhere.",
      example: "sign(w)",
      fragments: [signOf],
    },
    (x) => `sign_of(${x})`,
    each(Math.sign),
  ),
  unary(
    { name: "floor", summary: "The largest whole number not above a.", example: "floor(x / 10)" },
    (x) => `floor(${x})`,
    each(Math.floor),
  ),
  unary(
    { name: "ceil", summary: "The smallest whole number not below a.", example: "ceil(x / 10)" },
    (x) => `ceil(${x})`,
    each(Math.ceil),
  ),
  unary(
    {
      name: "round",
      summary:
        "The nearest whole number; halves round to the even neighbour, so 0.5 gives 0 and 1.5 gives 2.",
      example: "round(p)",
    },
    (x) => `round(${x})`,
    each(roundHalfEven),
  ),
  binary(
    {
      name: "min",
      summary: "The smaller of two values at each point.",
      example: "min(p, 1)",
      fragments: [extremum("min")],
    },
    (a, b) => `min_of(${a}, ${b})`,
    minima,
    { commutative: true, ofOne: "minimum" },
  ),
  binary(
    {
      name: "max",
      summary: "The larger of two values at each point.",
      example: "max(p, 0)",
      fragments: [extremum("max")],
    },
    (a, b) => `max_of(${a}, ${b})`,
    maxima,
    { commutative: true, ofOne: "maximum" },
  ),
  unary(
    { name: "sin", summary: "Sine of an angle in radians.", example: "sin(x)", fragments: [sine] },
    (x) => `sine(${x})`,
    each(Math.sin),
  ),
  unary(
    { name: "cos", summary: "Cosine of an angle in radians.", example: "cos(x)", fragments: [cosine] },
    (x) => `cosine(${x})`,
    each(Math.cos),
  ),
  unary(
    { name: "tan", summary: "Tangent of an angle in radians.", example: "tan(x)", fragments: [tangent] },
    (x) => `tangent(${x})`,
    each(Math.tan),
  ),
  unary(
    {
      name: "asin",
      summary: "Arc sine in radians, from -π/2 to π/2.",
      example: "asin(w / magnitude(velocity))",
      fragments: [arcSine],
    },
    (x) => `arc_sine(${x})`,
    each(Math.asin),
  ),
  unary(
    {
      name: "acos",
      summary: "Arc cosine in radians, from 0 to π.",
      example: "acos(dot(a, b))",
      fragments: [arcCosine],
    },
    (x) => `arc_cosine(${x})`,
    each(Math.acos),
  ),
  unary(
    { name: "atan", summary: "Arc tangent in radians, from -π/2 to π/2.", example: "atan(v / u)" },
    (x) => `atan(${x})`,
    each(Math.atan),
  ),
  binary(
    {
      name: "atan2",
      summary: "Angle of the point (x, y) in radians, from -π to π.",
      example: "atan2(v, u)",
      fragments: [angle],
    },
    (y, x) => `angle(${y}, ${x})`,
    eachPair(angleOf),
    { signature: "atan2(y, x)" },
  ),
  unary(
    {
      name: "sinh",
      summary: "Hyperbolic sine.",
      formula: "(e^a - e^-a) / 2",
      example: "sinh(x)",
      fragments: [hyperbolicSine],
    },
    (x) => `hyperbolic_sine(${x})`,
    each(Math.sinh),
  ),
  unary(
    {
      name: "cosh",
      summary: "Hyperbolic cosine.",
      formula: "(e^a + e^-a) / 2",
      example: "cosh(x)",
      fragments: [hyperbolicCosine],
    },
    (x) => `hyperbolic_cosine(${x})`,
    each(Math.cosh),
  ),
  unary(
    {
      name: "tanh",
      summary: "Hyperbolic tangent.",
      formula: "sinh(a) / cosh(a)",
      example: "tanh((y - 0.5) / 0.05)",
      fragments: [hyperbolicTangent],
    },
    (x) => `hyperbolic_tangent(${x})`,
    each(Math.tanh),
  ),
  unary(
    { name: "deg2rad", summary: "Converts degrees to radians.", example: "sin(deg2rad(latitude))" },
    (x) => `radians(${x})`,
    each((x) => (x * Math.PI) / 180),
  ),
  unary(
    { name: "rad2deg", summary: "Converts radians to degrees.", example: "rad2deg(atan2(v, u))" },
    (x) => `degrees(${x})`,
    each((x) => (x * 180) / Math.PI),
  ),
];
