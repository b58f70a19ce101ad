/** Operations on scalars as JavaScript, with the results that `semantics.ts` has. */
import type { Algebra } from "../../expand.ts";
import type { BinaryOperator, UnaryOperator } from "../../ir.ts";
import { isInteger, type NumberFunction } from "../../semantics.ts";
import type { Scalar } from "../../types.ts";
import { type Code, type CodeWriter, numberCode, numberIn } from "./code.ts";

/** Functions of `Math` by their own names; the others are members of `library`. */
const ofMath: ReadonlySet<string> = new Set([
  ..."abs floor ceil trunc sqrt exp log log2 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split(
    " ",
  ),
  "atan2",
]);

/** Functions whose results are of the operands' type without rounding. */
const exact: ReadonlySet<string> = new Set("min max floor ceil trunc round sign".split(" "));

/** What modules of generated code begin with; `library` is `numberFunctions`. */
export const preamble: readonly string[] = [
  '"use strict";',
  `const { fround, imul, min, max, ${[...ofMath].join(", ")} } = Math;`,
  "const { isNaN, isFinite } = Number;",
  "const floatBits = new Float32Array(1);",
  "const signedBits = new Int32Array(floatBits.buffer);",
  "const unsignedBits = new Uint32Array(floatBits.buffer);",
];

function roundedCode(scalar: Scalar, code: Code): Code {
  switch (scalar) {
    case "f32":
      return `fround(${code})`;
    case "i32":
      return `(${code} | 0)`;
    case "u32":
      return `(${code} >>> 0)`;
    default:
      return `(${code})`;
  }
}

export function literalCode(value: number | boolean): Code {
  return typeof value === "boolean" ? String(value) : numberCode(value);
}

export class JsAlgebra implements Algebra<Code> {
  readonly #writer: CodeWriter;

  constructor(writer: CodeWriter) {
    this.#writer = writer;
  }

  literal(value: number | boolean): Code {
    return literalCode(value);
  }

  share(code: Code): Code {
    return this.#writer.share(code);
  }

  select(_: Scalar, otherwise: Code, value: Code, condition: Code): Code {
    return `(${condition} ? ${value} : ${otherwise})`;
  }

  unary(operator: UnaryOperator, scalar: Scalar, x: Code): Code {
    if (operator === "!") return `(!${x})`;
    if (operator === "~") return scalar === "u32" ? `(~${x} >>> 0)` : `(~${x})`;
    return scalar === "i32" ? `(-${x} | 0)` : `(-${x})`;
  }

  binary(operator: BinaryOperator, scalar: Scalar, a: Code, b: Code): Code {
    switch (operator) {
      case "==":
        return `(${a} === ${b})`;
      case "!=":
        return `(${a} !== ${b})`;
      case "<":
      case "<=":
      case ">":
      case ">=":
      case "&&":
      case "||":
        return `(${a} ${operator} ${b})`;
      case "&":
      case "|":
      case "^":
        if (scalar === "bool") return `(${a} ${operator === "&" ? "&&" : "||"} ${b})`;
        return scalar === "u32" ? `((${a} ${operator} ${b}) >>> 0)` : `(${a} ${operator} ${b})`;
      case "<<":
        return scalar === "u32" ? `(${a} << ${b} >>> 0)` : `(${a} << ${b})`;
      case ">>":
        return `(${a} ${scalar === "u32" ? ">>>" : ">>"} ${b})`;
      case "*":
        if (!isInteger(scalar)) return roundedCode(scalar, `${a} * ${b}`);
        return scalar === "u32" ? `(imul(${a}, ${b}) >>> 0)` : `imul(${a}, ${b})`;
      case "/":
      case "%":
        return isInteger(scalar)
          ? this.#integerQuotient(operator, scalar, a, b)
          : roundedCode(scalar, `${a} ${operator} ${b}`);
      default:
        return roundedCode(scalar, `${a} ${operator} ${b}`);
    }
  }

  #integerQuotient(operator: "/" | "%", scalar: Scalar, a: Code, b: Code): Code {
    const divisor = numberIn(b);
    if (divisor === 0) return operator === "/" ? a : "0";
    if (divisor !== undefined) return roundedCode(scalar, `${a} ${operator} ${b}`);
    const [x, y] = [this.share(a), this.share(b)];
    const quotient = roundedCode(scalar, `${x} ${operator} ${y}`);
    return `(${y} === 0 ? ${operator === "/" ? x : 0} : ${quotient})`;
  }

  apply(name: NumberFunction, scalar: Scalar, ...operands: readonly Code[]): Code {
    switch (name) {
      case "min":
      case "max": {
        const [a, b] = operands.map((operand) => this.share(operand));
        return name === "min" ? `(${b} < ${a} ? ${b} : ${a})` : `(${a} < ${b} ? ${b} : ${a})`;
      }
      case "sign": {
        const x = this.share(operands[0]);
        return `(${x} > 0 ? 1 : ${x} < 0 ? -1 : 0)`;
      }
      case "abs":
        if (scalar === "u32") return operands[0];
        return scalar === "i32" ? `(abs(${operands[0]}) | 0)` : `abs(${operands[0]})`;
      case "exp2":
      case "pow": {
        const [base, exponent] = name === "pow" ? operands : ["2", operands[0]];
        return roundedCode(scalar, `${base} ** ${exponent}`);
      }
      default: {
        const call = `${ofMath.has(name) ? name : `library.${name}`}(${operands.join(", ")})`;
        return exact.has(name) || scalar === "f64" ? call : roundedCode(scalar, call);
      }
    }
  }

  test(name: "isNan" | "isInf" | "isFinite", _: Scalar, x: Code): Code {
    if (name === "isFinite") return `isFinite(${x})`;
    return name === "isNan" ? `isNaN(${x})` : `(abs(${x}) === Infinity)`;
  }

  convert(from: Scalar, to: Scalar, x: Code): Code {
    if (from === to) return x;
    if (to === "bool") return `(${x} !== 0)`;
    if (from === "bool") return `(${x} ? 1 : 0)`;
    if (isInteger(from)) return to === "f64" ? x : roundedCode(to, x);
    switch (to) {
      case "i32":
        return `(min(max(${x}, -2147483648), 2147483647) | 0)`;
      case "u32":
        return `(min(max(${x}, 0), 4294967295) >>> 0)`;
      default:
        return to === "f32" ? `fround(${x})` : x;
    }
  }

  bitcast(from: Scalar, to: Scalar, x: Code): Code {
    if (from === to) return x;
    if (from !== "f32" && to !== "f32") return roundedCode(to, x);
    const view = (scalar: Scalar) =>
      scalar === "f32" ? "floatBits" : scalar === "i32" ? "signedBits" : "unsignedBits";
    return this.share(`(${view(from)}[0] = ${x}, ${view(to)}[0])`);
  }
}
