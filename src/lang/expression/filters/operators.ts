import type { ValueType } from "../types.ts";
import { overload, shaderFunction } from "./elementwise.ts";
import type { ElementFilter, ElementOverload, FunctionText } from "./filter.ts";
import { infinity, nan } from "./special-values.ts";

const group = "Operators";
const numeric: readonly ValueType[] = ["scalar", "vec2", "vec3", "mat3"];

const matched = (symbol: string): ElementOverload[] =>
  numeric.map((type) => overload([type, type], type, `a ${symbol} b`));

const add: ElementFilter = {
  kind: "element",
  name: "add",
  internal: true,
  commutative: true,
  doc: {
    signature: "a + b",
    summary: "Sum of two values of the same type.",
    example: "p + 0.5 * rho",
    group,
  },
  overloads: matched("+"),
};

const subtract: ElementFilter = {
  kind: "element",
  name: "subtract",
  internal: true,
  doc: {
    signature: "a - b",
    summary: "Difference of two values of the same type.",
    example: "p - 101325",
    group,
  },
  overloads: matched("-"),
};

const multiply: ElementFilter = {
  kind: "element",
  name: "multiply",
  internal: true,
  commutative: true,
  doc: {
    signature: "a * b",
    summary:
      "Product of two scalars, or of a scalar and a vector or tensor; for two vectors use dot or cross.",
    example: "rho * velocity",
    group,
  },
  overloads: [
    overload(["scalar", "scalar"], "scalar", "a * b"),
    ...numeric
      .slice(1)
      .flatMap((type) => [
        overload(["scalar", type], type, "a * b"),
        overload([type, "scalar"], type, "a * b"),
      ]),
  ],
};

const quotient = (type: ValueType) =>
  type === "mat3" ? "mat3x3<real>(a[0] / b, a[1] / b, a[2] / b)" : "a / b";

/** a / b, but the value c where |b| ≤ d, which is 0 where there is none. */
function guardedQuotient(type: ValueType, hasTolerance: boolean): ElementOverload {
  const limit = hasTolerance ? "d" : "0.0";
  return overload(
    hasTolerance ? [type, "scalar", type, "scalar"] : [type, "scalar", type],
    type,
    type === "mat3"
      ? `mat3x3<real>(${[0, 1, 2].map((r) => `select(a[${r}] / b, c[${r}], abs(b) <= ${limit})`).join(", ")})`
      : `select(a / b, c, abs(b) <= ${limit})`,
  );
}

const divide: ElementFilter = {
  kind: "element",
  name: "divide",
  doc: {
    signature: "a / b",
    summary:
      "Quotient; the divisor is a scalar. Division by zero gives an infinity, and 0 / 0 is not a number. divide(a, b) is the same; divide(a, b, value, tolerance) is value where the absolute value of b is at most the tolerance (default 0).",
    example: "divide(momentum, rho, {0, 0, 0}, 1e-6)",
    group,
  },
  overloads: [
    ...numeric.map((type) => overload([type, "scalar"], type, quotient(type))),
    ...numeric.map((type) => guardedQuotient(type, false)),
    ...numeric.map((type) => guardedQuotient(type, true)),
  ],
};

const negate: ElementFilter = {
  kind: "element",
  name: "negate",
  internal: true,
  doc: {
    signature: "-a",
    summary: "The value with the opposite sign; it binds less tightly than ^, so -2^2 is -4.",
    example: "-gradient(p)",
    group,
  },
  overloads: numeric.map((type) => overload([type], type, type === "mat3" ? "-1.0 * a" : "-a")),
};

/**
 * x − y·trunc(x/y), corrected by one y where the quotient was rounded across a whole number, so that the result lies
 * in [0, |y|) with the sign of x.
 */
const remainder: FunctionText = {
  text: /* wgsl */ `
fn remainder(x: f32, y: f32) -> f32 {
  let size = abs(y);
  let whole = trunc(abs(x) / size);
  var rest = select(fma(-whole, size, abs(x)), abs(x), whole == 0.0);
  rest = select(rest, rest + size, rest < 0.0);
  rest = select(rest, rest - size, rest >= size);
  return select(rest, -rest, x < 0.0);
}
`,
};

const mod: ElementFilter = {
  kind: "element",
  name: "mod",
  doc: {
    signature: "a % b",
    summary: "Remainder of the division, with the sign of a as in C; mod(a, b) is the same.",
    formula: "a - b * trunc(a / b)",
    example: "8.5 % 2.5",
    group,
  },
  overloads: [
    overload(["scalar", "scalar"], "scalar", "a % b", {
      shader: shaderFunction("remainder", remainder, "a, b"),
    }),
  ],
};

/**
 * WGSL's pow is exp2(y · log2(x)): undefined for negative x and for 0^0. Whole exponents keep the sign rule of
 * mathematics; other powers of negative numbers are not numbers. Infinite exponents count as even, as in C.
 */
const power: FunctionText = {
  text: /* wgsl */ `
fn power(x: f32, y: f32) -> f32 {
  if (y == 0.0) { return 1.0; }
  if (isNan(x) || isNan(y)) { return ${nan}; }
  if (x == 1.0 || (x == -1.0 && !isFinite(y))) { return 1.0; }
  if (x == 0.0) { return select(${infinity}, 0.0, y > 0.0); }
  let size = pow(abs(x), y);
  if (x > 0.0 || !isFinite(y)) { return size; }
  let isWhole = floor(y) == y;
  if (!isWhole && isFinite(x)) { return ${nan}; }
  return select(size, -size, isWhole && floor(0.5 * y) != 0.5 * y);
}
`,
};

/** Small whole exponents are products: exact to rounding, and far cheaper than exp2 and log2. */
function powerText(exponent: number | undefined): string {
  if (exponent === undefined || !Number.isInteger(exponent) || exponent === 0 || Math.abs(exponent) > 8) {
    return "power(a, b)";
  }
  const product = new Array<string>(Math.abs(exponent)).fill("a").join(" * ");
  return exponent > 0 ? product : `1.0 / (${product})`;
}

const pow: ElementFilter = {
  kind: "element",
  name: "pow",
  doc: {
    signature: "a ^ b",
    summary: "Power; a negative base needs a whole exponent. pow(a, b) is the same.",
    example: "r^-2",
    group,
  },
  overloads: [
    // As in C, where JavaScript makes NaN of an infinite power of ±1.
    overload(["scalar", "scalar"], "scalar", "select(pow(a, b), 1.0, abs(a) == 1.0 && isInf(b))", {
      shader: {
        text: ([, exponent]) => powerText(exponent),
        functions: [power],
      },
    }),
  ],
};

const compose: ElementFilter = {
  kind: "element",
  name: "compose",
  internal: true,
  doc: {
    signature: "{a, b, c}",
    summary: "A vector of two or three scalars, or a tensor of three row vectors.",
    example: "{u, v, w}",
    group,
  },
  overloads: [
    overload(["scalar", "scalar"], "vec2", "vec2<real>(a, b)"),
    overload(["scalar", "scalar", "scalar"], "vec3", "vec3<real>(a, b, c)"),
    overload(["vec3", "vec3", "vec3"], "mat3", "mat3x3<real>(a, b, c)"),
  ],
};

function componentFilter(index: 0 | 1 | 2): ElementFilter {
  const part = (type: ValueType, output: ValueType, text: string): ElementOverload =>
    overload([type], output, text, { isAccess: true });
  const overloads = [part("vec3", "scalar", `a.${"xyz"[index]}`), part("mat3", "vec3", `a[${index}]`)];
  return {
    kind: "element",
    name: `component_${index}`,
    internal: true,
    doc: {
      signature: `v[${index}]`,
      summary: "One component of a vector, or one row of a tensor, counted from 0.",
      example: `velocity[${index}]`,
      group,
    },
    overloads: index < 2 ? [part("vec2", "scalar", `a.${"xy"[index]}`), ...overloads] : overloads,
  };
}

export const operators: readonly ElementFilter[] = [
  add,
  subtract,
  multiply,
  divide,
  mod,
  pow,
  negate,
  compose,
  componentFilter(0),
  componentFilter(1),
  componentFilter(2),
];
