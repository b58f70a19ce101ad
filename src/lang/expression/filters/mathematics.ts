import { arcCosine, arcSine, cosine, sine, tangent } from "./circular.ts";
import { overload, shaderFunction } from "./elementwise.ts";
import type { ElementFilter, ElementLoop, ElementOverload, FunctionText } from "./filter.ts";
import { minusInfinity, nan } from "./special-values.ts";

const group = "Mathematics";

type Others = Pick<ElementOverload, "shader" | "loop">;

interface ScalarFunction extends Others {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly formula?: string;
  readonly example: string;
}

function unary(
  { name, aliases, summary, formula, example, ...others }: ScalarFunction,
  text: string,
): ElementFilter {
  return {
    kind: "element",
    name,
    aliases,
    doc: { signature: `${name}(a)`, summary, formula, example, group },
    overloads: [overload(["scalar"], "scalar", text, others)],
  };
}

interface BinaryOptions {
  readonly signature?: string;
  readonly commutative?: boolean;
  readonly ofOne?: string;
}

function binary(
  { name, aliases, summary, formula, example, ...others }: ScalarFunction,
  text: string,
  { signature = `${name}(a, b)`, commutative = false, ofOne }: BinaryOptions = {},
): ElementFilter {
  return {
    kind: "element",
    name,
    aliases,
    commutative,
    ...(ofOne ? { ofOne } : {}),
    doc: { signature, summary, formula, example, group },
    overloads: [overload(["scalar", "scalar"], "scalar", text, others)],
  };
}

const exponential: FunctionText = {
  text: /* wgsl */ `
fn exponential(x: f32) -> f32 {
  return select(exp(x), x, isNan(x));
}
`,
};

const squareRoot: FunctionText = {
  text: /* wgsl */ `
fn square_root(x: f32) -> f32 {
  return select(${nan}, sqrt(max(x, 0.0)), x >= 0.0);
}
`,
};

const naturalLogarithm: FunctionText = {
  text: /* wgsl */ `
fn natural_logarithm(x: f32) -> f32 {
  if (x > 0.0) { return log(x); }
  return select(${nan}, ${minusInfinity}, x == 0.0);
}
`,
};

/** atan2(0, 0) is 0, as in C; WGSL leaves it open. */
const angle: FunctionText = {
  text: /* wgsl */ `
fn angle(y: f32, x: f32) -> f32 {
  if (isNan(x) || isNan(y)) { return ${nan}; }
  return select(atan2(y, x), select(0.0, 3.1415927, x < 0.0), y == 0.0);
}
`,
};

/** (e^a − e^−a)/2 cancels near 0, where a series of three terms is exact to f32's last bit. */
const hyperbolicSine: FunctionText = {
  requires: [exponential],
  text: /* wgsl */ `
fn hyperbolic_sine(x: f32) -> f32 {
  let square = x * x;
  let series = x * (1.0 + square * (1.0 / 6.0 + square * (1.0 / 120.0 + square / 5040.0)));
  let half = exponential(0.5 * abs(x));
  let far = 0.5 * half * half - 0.5 / half / half;
  return select(select(far, -far, x < 0.0), series, abs(x) < 1.0);
}
`,
};

const hyperbolicCosine: FunctionText = {
  requires: [exponential],
  text: /* wgsl */ `
fn hyperbolic_cosine(x: f32) -> f32 {
  let half = exponential(0.5 * abs(x));
  return 0.5 * half * half + 0.5 / half / half;
}
`,
};

/** 1 − 2/(e^2|a| + 1) cannot overflow to ∞/∞; near 0 a continued fraction avoids its cancellation. */
const hyperbolicTangent: FunctionText = {
  text: /* wgsl */ `
fn hyperbolic_tangent(x: f32) -> f32 {
  let square = x * x;
  let near = x / (1.0 + square / (3.0 + square / (5.0 + square / (7.0 + square / 9.0))));
  let far = 1.0 - 2.0 / (exp(2.0 * min(abs(x), 20.0)) + 1.0);
  return select(select(select(far, -far, x < 0.0), near, abs(x) < 1.0), x, isNan(x));
}
`,
};

/** WGSL leaves min and max of NaN open; here, as in IEEE 754-2019's minimum, one NaN makes the result NaN. */
const extremum = (name: "min" | "max"): string => `select(select(${name}(a, b), b, isNan(b)), a, isNan(a))`;

/** Math.log10 has whole results for powers of 10, which kernel text has no function for. */
const decimalLogarithms: ElementLoop = ([x], out, count) => {
  for (let i = 0; i < count; i++) out[i] = Math.log10(x[i]);
};

export const mathematics: readonly ElementFilter[] = [
  unary(
    {
      name: "sqrt",
      summary: "Square root; not a number for a negative argument.",
      example: "sqrt(u*u + v*v)",
      shader: shaderFunction("square_root", squareRoot),
    },
    "sqrt(a)",
  ),
  unary({ name: "square", summary: "The square of the value.", example: "square(u)" }, "a * a"),
  unary(
    {
      name: "exp",
      summary: "e to the power a.",
      example: "exp(-r)",
      shader: shaderFunction("exponential", exponential),
    },
    "exp(a)",
  ),
  unary(
    {
      name: "ln",
      aliases: ["log"],
      summary: "Natural logarithm; log is the same.",
      example: "ln(rho)",
      shader: shaderFunction("natural_logarithm", naturalLogarithm),
    },
    "log(a)",
  ),
  unary(
    {
      name: "log10",
      summary: "Logarithm to the base 10.",
      example: "log10(p)",
      shader: {
        text: "natural_logarithm(a) * 0.4342944819032518",
        functions: [naturalLogarithm],
      },
      loop: decimalLogarithms,
    },
    "log(a) * 0.4342944819032518",
  ),
  unary({ name: "abs", summary: "The value without its sign.", example: "abs(p - 1)" }, "abs(a)"),
  unary(
    {
      name: "sign",
      summary: "1 where a is positive, -1 where it is negative, 0 elsewhere.",
      example: "sign(w)",
    },
    "select(sign(a), a, isNan(a))",
  ),
  unary(
    { name: "floor", summary: "The largest whole number not above a.", example: "floor(x / 10)" },
    "floor(a)",
  ),
  unary(
    { name: "ceil", summary: "The smallest whole number not below a.", example: "ceil(x / 10)" },
    "ceil(a)",
  ),
  unary(
    {
      name: "round",
      summary:
        "The nearest whole number; halves round to the even neighbour, so 0.5 gives 0 and 1.5 gives 2.",
      example: "round(p)",
    },
    "round(a)",
  ),
  binary(
    {
      name: "min",
      summary: "The smaller of two values at each point.",
      example: "min(p, 1)",
    },
    extremum("min"),
    { commutative: true, ofOne: "minimum" },
  ),
  binary(
    {
      name: "max",
      summary: "The larger of two values at each point.",
      example: "max(p, 0)",
    },
    extremum("max"),
    { commutative: true, ofOne: "maximum" },
  ),
  unary(
    {
      name: "sin",
      summary: "Sine of an angle in radians.",
      example: "sin(x)",
      shader: shaderFunction("sine", sine),
    },
    "sin(a)",
  ),
  unary(
    {
      name: "cos",
      summary: "Cosine of an angle in radians.",
      example: "cos(x)",
      shader: shaderFunction("cosine", cosine),
    },
    "cos(a)",
  ),
  unary(
    {
      name: "tan",
      summary: "Tangent of an angle in radians.",
      example: "tan(x)",
      shader: shaderFunction("tangent", tangent),
    },
    "tan(a)",
  ),
  unary(
    {
      name: "asin",
      summary: "Arc sine in radians, from -π/2 to π/2.",
      example: "asin(w / magnitude(velocity))",
      shader: shaderFunction("arc_sine", arcSine),
    },
    "asin(a)",
  ),
  unary(
    {
      name: "acos",
      summary: "Arc cosine in radians, from 0 to π.",
      example: "acos(dot(a, b))",
      shader: shaderFunction("arc_cosine", arcCosine),
    },
    "acos(a)",
  ),
  unary(
    { name: "atan", summary: "Arc tangent in radians, from -π/2 to π/2.", example: "atan(v / u)" },
    "atan(a)",
  ),
  binary(
    {
      name: "atan2",
      summary: "Angle of the point (x, y) in radians, from -π to π.",
      example: "atan2(v, u)",
      shader: shaderFunction("angle", angle, "a, b"),
    },
    "atan2(select(a, 0.0, a == 0.0), select(b, 0.0, b == 0.0))",
    { signature: "atan2(y, x)" },
  ),
  unary(
    {
      name: "sinh",
      summary: "Hyperbolic sine.",
      formula: "(e^a - e^-a) / 2",
      example: "sinh(x)",
      shader: shaderFunction("hyperbolic_sine", hyperbolicSine),
    },
    "sinh(a)",
  ),
  unary(
    {
      name: "cosh",
      summary: "Hyperbolic cosine.",
      formula: "(e^a + e^-a) / 2",
      example: "cosh(x)",
      shader: shaderFunction("hyperbolic_cosine", hyperbolicCosine),
    },
    "cosh(a)",
  ),
  unary(
    {
      name: "tanh",
      summary: "Hyperbolic tangent.",
      formula: "sinh(a) / cosh(a)",
      example: "tanh((y - 0.5) / 0.05)",
      shader: shaderFunction("hyperbolic_tangent", hyperbolicTangent),
    },
    "tanh(a)",
  ),
  unary(
    { name: "deg2rad", summary: "Converts degrees to radians.", example: "sin(deg2rad(latitude))" },
    "a * 0.017453292519943295",
  ),
  unary(
    { name: "rad2deg", summary: "Converts radians to degrees.", example: "rad2deg(atan2(v, u))" },
    "a * 57.29577951308232",
  ),
];
