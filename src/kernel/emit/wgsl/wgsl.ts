/**
 * Kernels as WGSL. Its semantics are WGSL's where that defines them; where it leaves them open or refuses a module
 * (constant expressions that overflow or divide by zero, conversions of NaN), the code is such that the kernels' hold
 * (docs/kernels.md, “What targets promise”). f64 is f32.
 */
import type {
  Expression,
  KernelFunction,
  KernelProgram,
  Load,
  Statement,
  Target,
  Variable,
} from "../../ir.ts";
import { type Scalar, type StructType, scalarOf, type Type } from "../../types.ts";
import { isConstant } from "../../walk.ts";
import { helpers, remainder } from "./helpers.ts";
import { WgslModule } from "./module.ts";

/** What code around a kernel's body gives it. */
export interface WgslSurroundings {
  /** An expression of an input's element; indices are expressions of i32 or u32, offsets literals of i32. */
  load(load: Load, indices: readonly string[]): string;
  /** An expression of a constant's value; `typeText` writes types, structs by the names that they have in the module. */
  constant(name: string, typeText: (type: Type) => string): string;
  /** Expressions of u32, u32 and vec3u that functions can read too, such as names of private variables. */
  position(which: "element" | "place" | "at"): string;
  /** The variable that an output is set in; a member of `out` where there is none. */
  output?(name: string): string;
}

export interface WgslBody {
  /** Structs and functions, each before its use. */
  readonly declarations: string;
  /** Statements that set members of a variable `out`, named by `outputs`, all 0 at first; `return out;` ends them early. */
  readonly body: string;
  /** The members of the struct of outputs, by the outputs' names. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The name that one of the kernel's functions has in the module. */
  nameOf(callable: string): string;
}

/** A type in WGSL, with f32 for f64. Structs are called by the name that `structs` has for them. */
export function typeWgsl(type: Type, structs: ReadonlyMap<string, string> = new Map()): string {
  const scalar = (name: Scalar) => (name === "f64" ? "f32" : name);
  switch (type.kind) {
    case "scalar":
      return scalar(type.scalar);
    case "vector":
      return `vec${type.size}<${scalar(type.scalar)}>`;
    case "matrix":
      return `mat${type.columns}x${type.rows}<f32>`;
    case "array":
      return `array<${typeWgsl(type.element, structs)}, ${type.length}>`;
    case "struct":
      return structs.get(type.name) ?? type.name;
  }
}

/** A kernel's body with what it calls; `module` is given where it holds other code too. */
export function kernelWgsl(
  program: KernelProgram,
  surroundings: WgslSurroundings,
  module: WgslModule = new WgslModule(),
): WgslBody {
  const outputs = Object.fromEntries(Object.keys(program.outputs).map((name) => [name, module.fresh(name)]));
  const writer = new WgslWriter(surroundings, module, outputs);
  writer.structs(program.structs);
  for (const callable of program.functions) writer.declareFunction(callable);
  const body = writer.block(program.body);
  const nameOf = (callable: string) => {
    const found = program.functions.find(({ name }) => name === callable);
    if (!found) throw new TypeError(`The kernel has no function “${callable}”.`);
    return writer.declareFunction(found);
  };
  return { declarations: writer.declarations(), body: body.join("\n"), outputs, nameOf };
}

export interface WgslFunctions {
  readonly declarations: string;
  nameOf(callable: KernelFunction): string;
}

/** Functions of values with what they call, and the names that they are given. */
export function functionsWgsl(
  structs: readonly StructType[],
  functions: readonly KernelFunction[],
  module: WgslModule = new WgslModule(),
): WgslFunctions {
  const refuse = () => {
    throw new TypeError("A function of values reads a kernel's inputs, constants or place.");
  };
  const writer = new WgslWriter({ load: refuse, constant: refuse, position: refuse }, module, {});
  writer.structs(structs);
  for (const callable of functions) writer.declareFunction(callable);
  return { declarations: writer.declarations(), nameOf: (callable) => writer.declareFunction(callable) };
}

const tests: Readonly<Record<string, "is_nan" | "is_inf" | "is_finite">> = {
  isNan: "is_nan",
  isInf: "is_inf",
  isFinite: "is_finite",
};

/** Built-in functions whose constant arguments have preconditions. */
const hasPreconditions: ReadonlySet<string> = new Set(["smoothstep", "extractBits", "insertBits"]);

class WgslWriter {
  readonly #surroundings: WgslSurroundings;
  readonly #module: WgslModule;
  readonly #outputs: Readonly<Record<string, string>>;
  readonly #variables = new Map<Variable, string>();
  readonly #functions = new Map<KernelFunction, string>();
  readonly #structNames = new Map<string, string>();
  readonly #memberNames = new Map<string, string>();
  readonly #structText: string[] = [];
  readonly #helperText: string[] = [];
  readonly #functionText: string[] = [];

  constructor(surroundings: WgslSurroundings, module: WgslModule, outputs: Readonly<Record<string, string>>) {
    this.#surroundings = surroundings;
    this.#module = module;
    this.#outputs = outputs;
  }

  declarations(): string {
    return [...this.#structText, ...this.#helperText, ...this.#functionText].join("\n");
  }

  structs(structs: readonly StructType[]): void {
    for (const struct of structs) {
      const name = this.#module.fresh(struct.name);
      this.#structNames.set(struct.name, name);
      const members = struct.members.map(
        (member) => `${this.#member(member.name)}: ${this.#type(member.type)}`,
      );
      this.#structText.push(`struct ${name} { ${members.join(", ")} }`);
    }
  }

  declareFunction(callable: KernelFunction): string {
    const known = this.#functions.get(callable);
    if (known) return known;
    const parameters = callable.parameters.map(
      (parameter) => `${this.#declare(parameter)}: ${this.#type(parameter.type)}`,
    );
    const body = this.block(callable.body);
    const name = this.#module.fresh(callable.name);
    this.#functions.set(callable, name);
    this.#functionText.push(
      `fn ${name}(${parameters.join(", ")}) -> ${this.#type(callable.result)} {\n${body.join("\n")}\n}`,
    );
    return name;
  }

  block(statements: readonly Statement[]): string[] {
    return statements.flatMap((statement) => this.#statement(statement));
  }

  #type(type: Type): string {
    return typeWgsl(type, this.#structNames);
  }

  #member(name: string): string {
    let known = this.#memberNames.get(name);
    if (!known) {
      known = this.#module.fresh(name);
      this.#memberNames.set(name, known);
    }
    return known;
  }

  #declare(variable: Variable): string {
    const name = this.#module.fresh(variable.name);
    this.#variables.set(variable, name);
    return name;
  }

  #helper(name: string, code: string): string {
    if (this.#module.needsHelper(name)) this.#helperText.push(code);
    return `kernel_${name}`;
  }

  #statement(statement: Statement): string[] {
    switch (statement.kind) {
      case "declare": {
        const { variable, value } = statement;
        const type = this.#type(variable.type);
        const source = value ? this.#value(value) : `${type}()`;
        const name = this.#declare(variable);
        return [`${variable.isMutable ? "var" : "let"} ${name}: ${type} = ${source};`];
      }
      case "assign":
        return [`${this.#target(statement.target)} = ${this.#value(statement.value)};`];
      case "if": {
        const { condition, body, otherwise } = statement;
        return [
          `if (${this.#value(condition)}) {`,
          ...this.block(body),
          ...(otherwise.length > 0 ? ["} else {", ...this.block(otherwise)] : []),
          "}",
        ];
      }
      case "for":
        return this.#loop(statement);
      case "return":
        return [statement.value ? `return ${this.#value(statement.value)};` : "return out;"];
      default:
        return [`${statement.kind};`];
    }
  }

  #loop({ variable, from, to, step, body }: Extract<Statement, { kind: "for" }>): string[] {
    const type = this.#type(variable.type);
    const [source, limit] = [this.#value(from), this.#value(to)];
    const end = to.kind === "literal" ? limit : this.#module.fresh("end");
    const before = to.kind === "literal" ? [] : [`let ${end}: ${type} = ${limit};`];
    const name = this.#declare(variable);
    const isBefore = `${name} ${step > 0 ? "<" : ">"} ${end}`;
    const next = `${name} = ${name} ${step > 0 ? "+" : "-"} ${Math.abs(step)}${type === "u32" ? "u" : "i"}`;
    if (Math.abs(step) === 1) {
      const head = `for (var ${name}: ${type} = ${source}; ${isBefore}; ${next}) {`;
      return [...before, head, ...this.block(body), "}"];
    }
    // The distance to the end, as u32, says whether another step stays before it, whatever the type's limits.
    const [far, near] = step > 0 ? [end, name] : [name, end];
    const isLast = this.#module.fresh("is_last");
    return [
      ...before,
      `var ${name}: ${type} = ${source};`,
      "loop {",
      `if (!(${isBefore})) { break; }`,
      ...this.block(body),
      "continuing {",
      `let ${isLast} = bitcast<u32>(${far} - ${near}) <= ${Math.abs(step)}u;`,
      `${next};`,
      `break if ${isLast};`,
      "}",
      "}",
    ];
  }

  #target(target: Target): string {
    switch (target.kind) {
      case "variable":
        return this.#variables.get(target.variable)!;
      case "output":
        return this.#surroundings.output?.(target.name) ?? `out.${this.#outputs[target.name]}`;
      case "member":
        return `${this.#target(target.target)}.${this.#member(target.member)}`;
      case "index":
        return `${this.#target(target.target)}[${this.#clampedIndex(target.index, target.target.type)}]`;
    }
  }

  /** Indices out of range are clamped: negative ones to the first element. */
  #clampedIndex(index: Expression, type: Type): string {
    const count =
      type.kind === "vector"
        ? type.size
        : type.kind === "matrix"
          ? type.columns
          : type.kind === "array"
            ? type.length
            : 1;
    if (index.kind === "literal") return `${Math.max(0, Math.min(Number(index.value), count - 1))}u`;
    const source = this.#value(index);
    return scalarOf(index.type) === "i32"
      ? `clamp(${source}, 0i, ${count - 1}i)`
      : `min(${source}, ${count - 1}u)`;
  }

  /** An expression, in parentheses where it is more than a term. */
  #value(expression: Expression): string {
    switch (expression.kind) {
      case "literal":
        return literalWgsl(expression.value, expression.type.scalar);
      case "variable":
        return this.#variables.get(expression.variable)!;
      case "constant":
        return this.#surroundings.constant(expression.name, (type) => this.#type(type));
      case "position":
        return this.#surroundings.position(expression.which);
      case "unary":
        return `(${expression.operator}${this.#hidden(expression.operand, isConstant(expression))})`;
      case "binary":
        return this.#binary(expression);
      case "builtin":
        return this.#builtin(expression);
      case "call":
        return `${this.declareFunction(expression.callee)}(${expression.arguments.map((argument) => this.#value(argument)).join(", ")})`;
      case "construct":
        return `${this.#type(expression.type)}(${expression.arguments.map((argument) => this.#value(argument)).join(", ")})`;
      case "convert":
        return this.#convert(expression);
      case "bitcast":
        return `bitcast<${this.#type(expression.type)}>(${this.#hidden(expression.operand, isConstant(expression))})`;
      case "swizzle": {
        const components = expression.components.map((c) => "xyzw"[c]).join("");
        return `${this.#value(expression.operand)}.${components}`;
      }
      case "member":
        return `${this.#value(expression.operand)}.${this.#member(expression.member)}`;
      case "index":
        return `${this.#value(expression.operand)}[${this.#clampedIndex(expression.index, expression.operand.type)}]`;
      case "load":
        return this.#surroundings.load(
          expression,
          expression.indices.map((index) => this.#value(index)),
        );
    }
  }

  /** The expression, such that it is no constant expression where `mustHide`. */
  #hidden(expression: Expression, mustHide: boolean): string {
    const source = this.#value(expression);
    const { type } = expression;
    if (!mustHide || !isConstant(expression)) return source;
    if (type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix") {
      const name = this.#type(type);
      const hide = `hidden_${name.replace(/\W+/g, "_").replace(/_$/, "")}`;
      // The result of a function that a module declares is no constant expression.
      return `${this.#helper(hide, `fn kernel_${hide}(x: ${name}) -> ${name} { return x; }`)}(${source})`;
    }
    return source;
  }

  #binary(expression: Extract<Expression, { kind: "binary" }>): string {
    const { operator, left, right } = expression;
    const a = this.#hidden(left, isConstant(expression));
    const scalar = scalarOf(right.type);
    if (operator === "<<" || operator === ">>") {
      if (right.kind === "literal") return `(${a} ${operator} ${Number(right.value) & 31}u)`;
      return `(${a} ${operator} ${this.#hidden(right, true)})`;
    }
    if (operator !== "/" && operator !== "%") return `(${a} ${operator} ${this.#value(right)})`;
    if (operator === "%" && !isInteger(scalar)) return this.#remainder(expression);
    const isZero = right.kind !== "literal" || right.value === 0;
    return `(${a} ${operator} ${this.#hidden(right, isInteger(scalar) && isZero)})`;
  }

  #remainder({ left, right, type }: Extract<Expression, { kind: "binary" }>): string {
    const scalar = this.#helper("remainder", remainder);
    const [a, b] = [this.#hidden(left, true), this.#hidden(right, true)];
    if (type.kind !== "vector") return `${scalar}(${a}, ${b})`;
    const vector = `vec${type.size}<f32>`;
    const parts = [..."xyzw"].slice(0, type.size).map((c) => `${scalar}(x.${c}, y.${c})`);
    const name = `remainder_${type.size}`;
    const code = `fn kernel_${name}(x: ${vector}, y: ${vector}) -> ${vector} { return ${vector}(${parts.join(", ")}); }`;
    const whole = (operand: Expression, source: string) =>
      operand.type.kind === "scalar" ? `${vector}(${source})` : source;
    return `${this.#helper(name, code)}(${whole(left, a)}, ${whole(right, b)})`;
  }

  #convert({ operand, type }: Extract<Expression, { kind: "convert" }>): string {
    const [from, to] = [scalarOf(operand.type)!, scalarOf(type)!];
    const isFloat = from === "f32" || from === "f64";
    if (!isFloat || (to !== "i32" && to !== "u32")) return `${this.#type(type)}(${this.#value(operand)})`;
    const helper = this.#helper(`to_${to}`, helpers[`to_${to}`]);
    const source = this.#hidden(operand, true);
    return this.#mapped(helper, source, type);
  }

  /** A function of a scalar at each component. */
  #mapped(name: string, source: string, type: Type): string {
    if (type.kind !== "vector") return `${name}(${source})`;
    const components = Array.from({ length: type.size }, (_, c) => `${name}(x.${"xyzw"[c]})`);
    const from = `vec${type.size}<f32>`;
    const mapped = `${name.slice("kernel_".length)}_${type.size}`;
    this.#helper(
      mapped,
      `fn kernel_${mapped}(x: ${from}) -> ${this.#type(type)} { return ${this.#type(type)}(${components.join(", ")}); }`,
    );
    return `kernel_${mapped}(${source})`;
  }

  /** GPUs may add the share of the difference instead, which is far off where one operand is much larger. */
  #mix(given: readonly Expression[], sources: readonly string[]): string {
    const [type, share] = [given[0].type, given[2].type].map((known) => this.#type(known));
    const name = `mix_${type}_${share}`.replace(/\W+/g, "_");
    const code = `fn kernel_${name}(a: ${type}, b: ${type}, t: ${share}) -> ${type} { return a * (1.0 - t) + b * t; }`;
    return `${this.#helper(name, code)}(${sources.join(", ")})`;
  }

  #builtin(expression: Extract<Expression, { kind: "builtin" }>): string {
    const { name, arguments: given, type } = expression;
    const test = tests[name];
    if (test) return this.#mapped(this.#helper(test, helpers[test]), this.#hidden(given[0], true), type);
    const hides = isConstant(expression) || hasPreconditions.has(name);
    const sources = given.map((argument) => this.#hidden(argument, hides));
    // Of scalars too WGSL computes lengths by squares, which overflow.
    if (given[0].type.kind === "scalar" && name === "length") return `abs(${sources[0]})`;
    if (given[0].type.kind === "scalar" && name === "distance") return `abs(${sources[0]} - ${sources[1]})`;
    // Of a scalar on the right of && or ||, Tint of Chromium 150 makes invalid SPIR-V.
    if (given[0].type.kind === "scalar" && (name === "all" || name === "any")) return sources[0];
    if (name === "mix") return this.#mix(given, sources);
    // WGSL leaves open which way float clamps are computed.
    if (name === "clamp") return `min(max(${sources[0]}, ${sources[1]}), ${sources[2]})`;
    return `${name}(${sources.join(", ")})`;
  }
}

const isInteger = (scalar: Scalar | undefined): boolean => scalar === "i32" || scalar === "u32";

/** The fewest digits that are read as the same f32. */
function shortest(single: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return String(short);
  }
  return String(single);
}

function literalWgsl(value: number | boolean, scalar: Scalar): string {
  if (typeof value === "boolean") return String(value);
  if (scalar === "u32") return `${value}u`;
  if (scalar === "i32") {
    if (value === -2147483648) return "i32(-2147483648)";
    return value < 0 ? `(${value}i)` : `${value}i`;
  }
  const number = Math.fround(value);
  if (!Number.isFinite(number)) throw new RangeError(`${value} has no literal in WGSL.`);
  const digits = Object.is(number, -0) ? "-0" : shortest(number);
  const text = /[.e]/.test(digits) ? `${digits}f` : `${digits}.0f`;
  return text.startsWith("-") ? `(${text})` : text;
}
