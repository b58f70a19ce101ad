/** Kernels as kernel text, which reads as the same nodes: for tests and for looking at what `simplify` made. */
import type {
  Expression,
  KernelFunction,
  KernelProgram,
  Literal,
  Statement,
  Target,
  Variable,
} from "../ir.ts";
import { typeText } from "../types.ts";

/** The kernel's structs, functions and body. */
export function printKernel(program: Pick<KernelProgram, "structs" | "functions" | "body">): string {
  const structs = program.structs.map(
    ({ name, members }) =>
      `struct ${name} {\n${members.map((member) => `  ${member.name}: ${typeText(member.type)},\n`).join("")}}\n`,
  );
  const functions = program.functions.map(printFunction);
  return [...structs, ...functions, new Printer().block(program.body, "")].join("");
}

export function printFunction({ name, parameters, result, body }: KernelFunction): string {
  const printer = new Printer();
  const list = parameters.map((parameter) => `${printer.name(parameter)}: ${typeText(parameter.type)}`);
  return `fn ${name}(${list.join(", ")}) -> ${typeText(result)} {\n${printer.block(body, "  ")}}\n`;
}

export const printExpression = (expression: Expression): string => new Printer().expression(expression);

class Printer {
  private readonly names = new Map<Variable, string>();
  private readonly taken = new Set<string>();

  name(variable: Variable): string {
    const known = this.names.get(variable);
    if (known) return known;
    let name = variable.name;
    for (let count = 2; this.taken.has(name); count++) name = `${variable.name}_${count}`;
    this.taken.add(name);
    this.names.set(variable, name);
    return name;
  }

  block(statements: readonly Statement[], indent: string): string {
    return statements.map((statement) => `${indent}${this.statement(statement, indent)}\n`).join("");
  }

  private statement(statement: Statement, indent: string): string {
    switch (statement.kind) {
      case "declare": {
        const { variable, value } = statement;
        const given = value ? ` = ${this.expression(value)}` : "";
        const keyword = variable.isMutable ? "var" : "let";
        return `${keyword} ${this.name(variable)}: ${typeText(variable.type)}${given};`;
      }
      case "assign":
        return `${this.target(statement.target)} = ${this.expression(statement.value)};`;
      case "if": {
        const body = this.block(statement.body, `${indent}  `);
        const otherwise = this.block(statement.otherwise, `${indent}  `);
        const last = otherwise ? ` else {\n${otherwise}${indent}}` : "";
        return `if (${this.expression(statement.condition)}) {\n${body}${indent}}${last}`;
      }
      case "for": {
        const { variable, from, to, step, body } = statement;
        const name = this.name(variable);
        const start = `var ${name}: ${typeText(variable.type)} = ${this.expression(from)}`;
        const test = `${name} ${step > 0 ? "<" : ">"} ${this.expression(to, true)}`;
        const count = `${name} ${step > 0 ? "+" : "-"}= ${Math.abs(step)}`;
        return `for (${start}; ${test}; ${count}) {\n${this.block(body, `${indent}  `)}${indent}}`;
      }
      case "return":
        return statement.value ? `return ${this.expression(statement.value)};` : "return;";
      default:
        return `${statement.kind};`;
    }
  }

  private target(target: Target): string {
    switch (target.kind) {
      case "variable":
        return this.name(target.variable);
      case "output":
        return `out.${target.name}`;
      case "member":
        return `${this.target(target.target)}.${target.member}`;
      case "index":
        return `${this.target(target.target)}[${this.expression(target.index)}]`;
    }
  }

  /** In parentheses where it is an operation beside another. */
  expression(expression: Expression, isOperand = false): string {
    const list = (parts: readonly Expression[]) => parts.map((part) => this.expression(part)).join(", ");
    switch (expression.kind) {
      case "literal":
        return literalText(expression);
      case "variable":
        return this.name(expression.variable);
      case "constant":
        return `constants.${expression.name}`;
      case "position":
        return expression.which;
      case "unary": {
        const text = `${expression.operator}${this.expression(expression.operand, true)}`;
        return isOperand ? `(${text})` : text;
      }
      case "binary": {
        const { left, operator, right } = expression;
        const text = `${this.expression(left, true)} ${operator} ${this.expression(right, true)}`;
        return isOperand ? `(${text})` : text;
      }
      case "builtin":
        return `${expression.name}(${list(expression.arguments)})`;
      case "call":
        return `${expression.callee.name}(${list(expression.arguments)})`;
      case "construct":
        return `${typeText(expression.type)}(${list(expression.arguments)})`;
      case "convert":
        return `${typeText(expression.type)}(${this.expression(expression.operand)})`;
      case "bitcast":
        return `bitcast<${typeText(expression.type)}>(${this.expression(expression.operand)})`;
      case "swizzle": {
        const letters = expression.components.map((component) => "xyzw"[component]).join("");
        return `${this.expression(expression.operand, true)}.${letters}`;
      }
      case "member":
        return `${this.expression(expression.operand, true)}.${expression.member}`;
      case "index":
        return `${this.expression(expression.operand, true)}[${this.expression(expression.index)}]`;
      case "load":
        return `${expression.input}(${list(expression.indices)})`;
    }
  }
}

const suffixes: Readonly<Record<string, string>> = { i32: "i", u32: "u", f32: "f" };

function literalText({ type, value }: Literal): string {
  if (typeof value === "boolean") return String(value);
  const { scalar } = type;
  const text = Object.is(value, -0) ? "-0.0" : scalar === "f32" ? shortest(value) : String(value);
  const isPlain = scalar in suffixes && !text.startsWith("-");
  return isPlain ? `${text}${suffixes[scalar]}` : `${scalar}(${text})`;
}

/** The fewest digits that round to the f32. */
function shortest(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}
