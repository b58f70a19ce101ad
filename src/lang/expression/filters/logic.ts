import { finite } from "../../../gpu/shader/finite.ts";
import { componentsOf, type ValueType } from "../types.ts";
import { mapOverload, select, zipOverload } from "./elementwise.ts";
import type { ElementFilter } from "./filter.ts";
import {
  atLeast,
  atMost,
  each,
  eachPair,
  greaterThan,
  lessThan,
  maxima,
  products,
  type ZipLoop,
} from "./loops.ts";

const group = "Logic";

function comparison(
  name: string,
  aliases: readonly string[],
  symbol: string,
  meaning: string,
  cpu: ZipLoop,
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
        cpu,
        { output: "bool" },
      ),
    ],
  };
}

const connective = (name: string, symbol: string, summary: string, cpu: ZipLoop): ElementFilter => ({
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
      each((a) => 1 - a),
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
    return {
      inputs: ["bool", type, type],
      output: type,
      wgsl: ([condition, yes, no]) => select(type, no, yes, condition),
      cpu([c, yes, no], out, count) {
        for (let e = 0, i = 0; e < count; e++) {
          const from = c[e] !== 0 ? yes : no;
          for (let k = 0; k < n; k++, i++) out[i] = from[i];
        }
      },
    };
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
      each((c) => c),
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
      each((x) => Number(Number.isNaN(x))),
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
      each((x) => Number(Number.isFinite(x))),
      { output: "bool", fragments: [finite] },
    ),
  ],
};

export const logic: readonly ElementFilter[] = [
  comparison("lt", ["less"], "<", "less than", lessThan),
  comparison("le", ["less_equal", "lte"], "<=", "at most", atMost),
  comparison("gt", ["greater"], ">", "greater than", greaterThan),
  comparison("ge", ["greater_equal", "gte"], ">=", "at least", atLeast),
  comparison(
    "eq",
    ["equal"],
    "==",
    "equal to",
    eachPair((a, b) => Number(a === b)),
  ),
  comparison(
    "ne",
    ["not_equal", "notequal"],
    "!=",
    "different from",
    eachPair((a, b) => Number(a !== b)),
  ),
  connective("and", "&&", "True where both are true.", products),
  connective("or", "||", "True where at least one is true.", maxima),
  not,
  conditional,
  number,
  nanTest,
  finiteTest,
];
