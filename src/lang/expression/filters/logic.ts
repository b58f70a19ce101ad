import type { ValueType } from "../types.ts";
import { overload } from "./elementwise.ts";
import type { ElementFilter } from "./filter.ts";

const group = "Logic";

function comparison(
  name: string,
  aliases: readonly string[],
  symbol: string,
  meaning: string,
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
    // Shader compilers may turn != into an ordered comparison, which is false for NaN.
    overloads: [overload(["scalar", "scalar"], "bool", symbol === "!=" ? "!(a == b)" : `a ${symbol} b`)],
  };
}

const connective = (name: string, symbol: string, summary: string): ElementFilter => ({
  kind: "element",
  name,
  commutative: true,
  doc: { signature: `a ${name} b`, summary, example: `p > 0.2 ${name} p < 0.8`, group },
  overloads: [overload(["bool", "bool"], "bool", `a ${symbol} b`)],
});

const not: ElementFilter = {
  kind: "element",
  name: "not",
  doc: { signature: "not a", summary: "True where a is false.", example: "not (p > 0.5)", group },
  overloads: [overload(["bool"], "bool", "!a")],
};

/** `yes` where the condition holds, else `no`. Texts select among scalars and vectors alone. */
const select = (type: ValueType, no: string, yes: string, condition: string): string =>
  type === "mat3"
    ? `mat3x3<real>(${[0, 1, 2].map((r) => `select(${no}[${r}], ${yes}[${r}], ${condition})`).join(", ")})`
    : `select(${no}, ${yes}, ${condition})`;

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
  overloads: choices.map((type) => overload(["bool", type, type], type, select(type, "c", "b", "a"))),
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
  overloads: [overload(["bool"], "scalar", "select(0.0, 1.0, a)")],
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
  overloads: [overload(["scalar"], "bool", "isNan(a)")],
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
  overloads: [overload(["scalar"], "bool", "isFinite(a)")],
};

export const logic: readonly ElementFilter[] = [
  comparison("lt", ["less"], "<", "less than"),
  comparison("le", ["less_equal", "lte"], "<=", "at most"),
  comparison("gt", ["greater"], ">", "greater than"),
  comparison("ge", ["greater_equal", "gte"], ">=", "at least"),
  comparison("eq", ["equal"], "==", "equal to"),
  comparison("ne", ["not_equal", "notequal"], "!=", "different from"),
  connective("and", "&&", "True where both are true."),
  connective("or", "||", "True where at least one is true."),
  not,
  conditional,
  number,
  nanTest,
  finiteTest,
];
