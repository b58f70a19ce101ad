import { finite } from "../../../gpu/shader/finite.ts";
import { componentsOf, type ValueType } from "../types.ts";
import { elementOverload, mapOverload, select, zipOverload } from "./elementwise.ts";
import type { ElementFilter } from "./filter.ts";

const group = "Logic";

function comparison(
  name: string,
  aliases: readonly string[],
  symbol: string,
  meaning: string,
  cpu: (a: number, b: number) => boolean,
): ElementFilter {
  return {
    kind: "element",
    name,
    aliases,
    commutative: symbol === "==" || symbol === "!=",
    doc: {
      signature: `a ${symbol} b`,
      summary: `True where a is ${meaning} b; ${name}(a, b) is the same. ${
        name === "ne" ? "True where either is not a number." : "False where either is not a number."
      }`,
      example: name === "eq" || name === "ne" ? `material ${symbol} 2` : `p ${symbol} 0.5`,
      group,
    },
    overloads: [
      zipOverload(
        "scalar",
        "scalar",
        // Compilers may turn != into an ordered comparison, which is false for NaN.
        (a, b) => (symbol === "!=" ? `!(${a} == ${b})` : `${a} ${symbol} ${b}`),
        (a, b) => Number(cpu(a, b)),
        { output: "bool" },
      ),
    ],
  };
}

const connective = (
  name: string,
  symbol: string,
  summary: string,
  cpu: (a: number, b: number) => number,
): ElementFilter => ({
  kind: "element",
  name,
  commutative: true,
  doc: { signature: `a ${name} b`, summary, example: `p > 0.2 ${name} p < 0.8`, group },
  overloads: [zipOverload("bool", "bool", (a, b) => `${a} ${symbol} ${b}`, cpu)],
});

const not: ElementFilter = {
  kind: "element",
  name: "not",
  doc: { signature: "not a", summary: "True where a is false.", example: "not (p > 0.5)", group },
  overloads: [
    mapOverload(
      "bool",
      (a) => `!${a}`,
      (a) => 1 - a,
    ),
  ],
};

const choices: readonly ValueType[] = ["scalar", "vec2", "vec3", "mat3", "bool"];

const conditional: ElementFilter = {
  kind: "element",
  name: "if",
  doc: {
    signature: "if(c, a, b)",
    summary: "a where c is true, b elsewhere; also written: if c then a else b.",
    example: "if(p > 0.5, p, 0)",
    group,
  },
  overloads: choices.map((type) => {
    const n = componentsOf(type);
    return elementOverload(
      ["bool", type, type],
      type,
      (condition, yes, no) => select(type, no, yes, condition),
      ([c, a, b], [i, at], out, to) => {
        const from = c[i] !== 0 ? a : b;
        for (let k = 0; k < n; k++) out[to + k] = from[at + k];
      },
    );
  }),
};

const number: ElementFilter = {
  kind: "element",
  name: "number",
  doc: {
    signature: "number(c)",
    summary: "1 where c is true, 0 elsewhere.",
    example: "number(p > 0.5)",
    group,
  },
  overloads: [
    mapOverload(
      "bool",
      (c) => `select(0.0, 1.0, ${c})`,
      (c) => c,
      { output: "scalar" },
    ),
  ],
};

const nanTest: ElementFilter = {
  kind: "element",
  name: "is_nan",
  doc: {
    signature: "is_nan(a)",
    summary: "True where a is not a number.",
    example: "if(is_nan(p), 0, p)",
    group,
  },
  overloads: [
    mapOverload(
      "scalar",
      (x) => `is_nan(${x})`,
      (x) => Number(Number.isNaN(x)),
      { output: "bool", fragments: [finite] },
    ),
  ],
};

const finiteTest: ElementFilter = {
  kind: "element",
  name: "is_finite",
  doc: {
    signature: "is_finite(a)",
    summary: "True where a is neither infinite nor not a number.",
    example: "if(is_finite(a / b), a / b, 0)",
    group,
  },
  overloads: [
    mapOverload(
      "scalar",
      (x) => `is_finite(${x})`,
      (x) => Number(Number.isFinite(x)),
      { output: "bool", fragments: [finite] },
    ),
  ],
};

export const logic: readonly ElementFilter[] = [
  comparison("lt", ["less"], "<", "less than", (a, b) => a < b),
  comparison("le", ["less_equal", "lte"], "<=", "at most", (a, b) => a <= b),
  comparison("gt", ["greater"], ">", "greater than", (a, b) => a > b),
  comparison("ge", ["greater_equal", "gte"], ">=", "at least", (a, b) => a >= b),
  comparison("eq", ["equal"], "==", "equal to", (a, b) => a === b),
  comparison("ne", ["not_equal", "notequal"], "!=", "different from", (a, b) => a !== b),
  connective("and", "&&", "True where both are true.", (a, b) => a * b),
  connective("or", "||", "True where at least one is true.", (a, b) => Math.max(a, b)),
  not,
  conditional,
  number,
  nanTest,
  finiteTest,
];
