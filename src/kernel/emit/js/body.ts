/**
 * Bodies of kernels and functions as JavaScript. Vectors, matrices and structs become variables of their scalars, calls
 * become the called function's statements, and arrays with unknown indices lie in memory that is taken once: code that
 * runs in a loop allocates nothing.
 */
import { scalarsOf } from "../../constants.ts";
import { expandBinary, expandBuiltin } from "../../expand.ts";
import type { Expression, KernelFunction, Literal, Load, Statement, Target, Variable } from "../../ir.ts";
import { type Scalar, scalarCount, scalarOf, type Type } from "../../types.ts";
import { isConstant } from "../../walk.ts";
import { JsAlgebra, literalCode } from "./algebra.ts";
import { type Code, type CodeWriter, namesIn, numberCode, numberIn } from "./code.ts";
import { memoryArray, memoryAt, type Operand, type Place, scalarsIn } from "./operand.ts";

export type IndexRange = readonly [first: number, last: number];

/** What a body reads and writes beside its variables. */
export interface Surroundings {
  constant(name: string): Operand;
  position(which: "element" | "place" | "at"): readonly Code[];
  /** `ranges` are the least and the greatest value that an index can have, where they are known. */
  load(load: Load, indices: readonly Code[], ranges: readonly (IndexRange | undefined)[]): readonly Code[];
  output(name: string): Operand;
}

/** Where `return` leads. */
interface Exit {
  readonly label: string;
  /** The variables of the function's result; none in a kernel. */
  readonly results: readonly string[];
  isUsed: boolean;
}

export class BodyEmitter {
  readonly writer: CodeWriter;
  readonly algebra: JsAlgebra;
  /** Declarations that are made once, outside of all loops. */
  readonly #preamble: string[];
  readonly #indexed: ReadonlySet<Variable>;
  readonly #surroundings: Surroundings;
  readonly #variables = new Map<Variable, Operand>();
  readonly #ranges = new Map<Variable, IndexRange>();

  constructor(
    writer: CodeWriter,
    preamble: string[],
    indexed: ReadonlySet<Variable>,
    surroundings: Surroundings,
  ) {
    this.writer = writer;
    this.algebra = new JsAlgebra(writer);
    this.#preamble = preamble;
    this.#indexed = indexed;
    this.#surroundings = surroundings;
  }

  /** A kernel's statements. */
  kernel(body: readonly Statement[]): void {
    const exit: Exit = { label: this.writer.name("kernel"), results: [], isUsed: false };
    const lines = this.writer.capture(() => this.#block(body, exit));
    if (exit.isUsed) this.writer.block(`${exit.label}:`, lines);
    else this.writer.lines.push(...lines);
  }

  /** The scalars of a function's result, for arguments that do not change meanwhile. */
  call(callee: KernelFunction, values: readonly Operand[]): readonly Code[] {
    callee.parameters.forEach((parameter, i) => {
      this.#variables.set(parameter, this.#parameter(parameter, values[i]));
    });
    const last = callee.body.at(-1);
    const before = callee.body.slice(0, -1);
    if (last?.kind === "return" && last.value && !before.some(returns)) {
      for (const statement of before) this.#statement(statement, undefined);
      return this.scalars(last.value);
    }
    const scalars = scalarsOf(callee.result);
    const results = scalars.map(() => this.writer.name(callee.name));
    this.writer.line(`let ${results.map((name, k) => `${name} = ${zeroCode(scalars[k])}`).join(", ")};`);
    const exit: Exit = { label: this.writer.name("call"), results, isUsed: false };
    const lines = this.writer.capture(() => this.#block(callee.body, exit));
    this.writer.block(exit.isUsed ? `${exit.label}:` : "", lines);
    return results;
  }

  #parameter(parameter: Variable, value: Operand): Operand {
    if (value.kind === "memory") return value;
    if (this.#indexed.has(parameter)) return this.#inMemory(parameter.type, value.scalars);
    return { kind: "scalars", scalars: value.scalars.map((scalar) => this.writer.share(scalar)) };
  }

  scalars(expression: Expression): readonly Code[] {
    return scalarsIn(this.operand(expression), expression.type);
  }

  operand(expression: Expression): Operand {
    switch (expression.kind) {
      case "variable":
        return this.#variables.get(expression.variable)!;
      case "constant":
        return this.#surroundings.constant(expression.name);
      case "index":
        return this.#index(expression.operand, expression.index);
      case "member": {
        const [first, type] = memberOf(expression.operand.type, expression.member);
        return partOf(this.operand(expression.operand), first, scalarCount(type));
      }
      default:
        return { kind: "scalars", scalars: this.#computed(expression) };
    }
  }

  #computed(expression: Exclude<Expression, { kind: "variable" | "constant" | "index" | "member" }>) {
    const { algebra } = this;
    switch (expression.kind) {
      case "literal":
        return [literalCode(expression.value)];
      case "position":
        return this.#surroundings.position(expression.which);
      case "unary": {
        const scalar = scalarOf(expression.type)!;
        return this.scalars(expression.operand).map((x) => algebra.unary(expression.operator, scalar, x));
      }
      case "binary":
        if (expression.operator === "&&" || expression.operator === "||") return this.#connective(expression);
        return expandBinary(
          algebra,
          expression.operator,
          { type: expression.left.type, parts: this.scalars(expression.left) },
          { type: expression.right.type, parts: this.scalars(expression.right) },
        );
      case "builtin":
        return expandBuiltin(
          algebra,
          expression.name,
          expression.arguments.map(({ type }) => type),
          expression.arguments.map((argument) => this.scalars(argument)),
        );
      case "call":
        return this.call(
          expression.callee,
          expression.arguments.map((argument) => this.operand(argument)),
        );
      case "construct":
        return this.#construct(expression.type, expression.arguments);
      case "convert":
      case "bitcast": {
        const [from, to] = [scalarOf(expression.operand.type)!, scalarOf(expression.type)!];
        return this.scalars(expression.operand).map((x) => algebra[expression.kind](from, to, x));
      }
      case "swizzle": {
        const parts = this.scalars(expression.operand).map((x, c) =>
          expression.components.filter((component) => component === c).length > 1 ? this.writer.share(x) : x,
        );
        return expression.components.map((component) => parts[component]);
      }
      case "load":
        return this.#surroundings.load(
          expression,
          expression.indices.map((index) => this.scalars(index)[0]),
          expression.indices.map((index) => this.#rangeOf(index)),
        );
    }
  }

  #connective({ operator, left, right }: Extract<Expression, { kind: "binary" }>): readonly Code[] {
    const [first] = this.scalars(left);
    let second = "";
    const lines = this.writer.capture(() => {
      [second] = this.scalars(right);
    });
    if (lines.length === 0) return [`(${first} ${operator} ${second})`];
    const name = this.writer.name("t");
    this.writer.line(`let ${name} = ${first};`);
    this.writer.block(`if (${operator === "&&" ? name : `!${name}`})`, [...lines, `${name} = ${second};`]);
    return [name];
  }

  #construct(type: Type, given: readonly Expression[]): readonly Code[] {
    if (given.length === 0) return scalarsOf(type).map(zeroCode);
    const parts = given.flatMap((argument) => this.scalars(argument));
    if (type.kind !== "vector" || parts.length === type.size) return parts;
    return new Array<Code>(type.size).fill(this.writer.share(parts[0]));
  }

  #index(operand: Expression, index: Expression): Operand {
    const [length, type] = elementsOf(operand.type);
    const width = scalarCount(type);
    const whole = this.operand(operand);
    if (index.kind === "literal") return partOf(whole, literalIndex(index, length) * width, width);
    const i = this.#clamped(index, length);
    if (whole.kind === "memory") return this.#elementInMemory(whole, i, width);
    if (length > 4) {
      const held = this.#inMemory(operand.type, whole.scalars, isConstant(operand));
      return this.#elementInMemory(held, i, width);
    }
    const scalars = whole.scalars.map((scalar) => this.writer.share(scalar));
    const at = this.writer.share(i);
    return {
      kind: "scalars",
      scalars: Array.from({ length: width }, (_, c) =>
        Array.from({ length: length - 1 }, (_, k) => `${at} === ${k} ? ${scalars[k * width + c]} : `)
          .join("")
          .concat(scalars[(length - 1) * width + c])
          .replace(/^.*$/s, "($&)"),
      ),
    };
  }

  #elementInMemory({ array, base }: Extract<Operand, { kind: "memory" }>, i: Code, width: number): Operand {
    const first = width === 1 ? i : `${i} * ${width}`;
    const at = this.writer.share(base === "0" ? `(${first})` : `(${base} + ${first})`);
    return { kind: "memory", array, base: at };
  }

  #rangeOf(index: Expression): IndexRange | undefined {
    return index.kind === "variable" ? this.#ranges.get(index.variable) : undefined;
  }

  /** An index moved into 0 … length − 1, where it may lie outside. */
  #clamped(index: Expression, length: number): Code {
    const [code] = this.scalars(index);
    const range = this.#rangeOf(index);
    if (range && range[0] >= 0 && range[1] < length) return code;
    const last = length - 1;
    const i = this.writer.share(code);
    const inRange = `${i} > ${last} ? ${last} : ${i}`;
    return scalarOf(index.type) === "u32" ? `(${inRange})` : `(${i} < 0 ? 0 : ${inRange})`;
  }

  /** Memory of its own with the scalars in it: filled once where they are the same each time. */
  #inMemory(type: Type, scalars: readonly Code[], isFixed = false): Extract<Operand, { kind: "memory" }> {
    const array = this.writer.name("memory");
    const kind = memoryArray(type);
    if (
      isFixed &&
      scalars.every((scalar) => numberIn(scalar) !== undefined || /^(true|false)$/.test(scalar))
    ) {
      this.#preamble.push(`const ${array} = ${kind}.of(${scalars.join(", ")});`);
    } else {
      this.#preamble.push(`const ${array} = new ${kind}(${scalars.length});`);
      scalars.forEach((scalar, k) => {
        this.writer.line(`${array}[${k}] = ${scalar};`);
      });
    }
    return { kind: "memory", array, base: "0" };
  }

  #block(statements: readonly Statement[], exit: Exit | undefined): void {
    for (const statement of statements) this.#statement(statement, exit);
  }

  #statement(statement: Statement, exit: Exit | undefined): void {
    const { writer } = this;
    switch (statement.kind) {
      case "declare":
        this.#declare(statement.variable, statement.value);
        break;
      case "assign":
        this.#assign(this.#place(statement.target), this.scalars(statement.value), statement.target.type);
        break;
      case "if": {
        const [condition] = this.scalars(statement.condition);
        writer.block(
          `if (${condition})`,
          writer.capture(() => this.#block(statement.body, exit)),
        );
        const otherwise = writer.capture(() => this.#block(statement.otherwise, exit));
        if (otherwise.length > 0) writer.block("else", otherwise);
        break;
      }
      case "for":
        this.#for(statement, exit);
        break;
      case "return": {
        const values = statement.value ? this.scalars(statement.value) : [];
        if (!exit) break;
        values.forEach((value, k) => {
          writer.line(`${exit.results[k]} = ${value};`);
        });
        writer.line(`break ${exit.label};`);
        exit.isUsed = true;
        break;
      }
      default:
        writer.line(`${statement.kind};`);
    }
  }

  #declare(variable: Variable, value: Expression | undefined): void {
    const { type } = variable;
    if (!this.#indexed.has(variable)) {
      const scalars = value ? this.scalars(value) : scalarsOf(type).map(zeroCode);
      const names = scalars.map(() => this.writer.name(variable.name));
      scalars.forEach((scalar, k) => {
        this.writer.line(`${variable.isMutable ? "let" : "const"} ${names[k]} = ${scalar};`);
      });
      this.#variables.set(variable, { kind: "scalars", scalars: names });
      return;
    }
    if (value) {
      const isFixed = !variable.isMutable && isConstant(value);
      this.#variables.set(variable, this.#inMemory(type, this.scalars(value), isFixed));
      return;
    }
    const held = this.#inMemory(type, []);
    this.#preamble.pop();
    this.#preamble.push(`const ${held.array} = new ${memoryArray(type)}(${scalarCount(type)});`);
    this.writer.line(`${held.array}.fill(0);`);
    this.#variables.set(variable, held);
  }

  #for(
    { variable, from, to, step, body }: Extract<Statement, { kind: "for" }>,
    exit: Exit | undefined,
  ): void {
    const { writer } = this;
    const [start] = this.scalars(from);
    const end = this.#fixed(this.scalars(to)[0], to);
    const name = writer.name(variable.name);
    this.#variables.set(variable, { kind: "scalars", scalars: [name] });
    const [first, last] = [numberIn(start), numberIn(end)];
    if (first !== undefined && last !== undefined) {
      this.#ranges.set(variable, step > 0 ? [first, last - 1] : [last + 1, first]);
    }
    const next = step === 1 ? `${name}++` : `${name} ${step > 0 ? "+" : "-"}= ${Math.abs(step)}`;
    writer.block(
      `for (let ${name} = ${start}; ${name} ${step > 0 ? "<" : ">"} ${end}; ${next})`,
      writer.capture(() => this.#block(body, exit)),
    );
  }

  /** A value that keeps: variables may change in a loop. */
  #fixed(code: Code, expression: Expression): Code {
    if (expression.kind === "literal") return code;
    const name = this.writer.name("end");
    this.writer.line(`const ${name} = ${code};`);
    return name;
  }

  #place(target: Target): Place {
    switch (target.kind) {
      case "variable":
        return this.#variables.get(target.variable)!;
      case "output":
        return this.#surroundings.output(target.name);
      case "member": {
        const [first, type] = memberOf(target.target.type, target.member);
        return partOfPlace(this.#place(target.target), first, scalarCount(type));
      }
      case "index": {
        const [length, type] = elementsOf(target.target.type);
        const width = scalarCount(type);
        const whole = this.#place(target.target);
        if (target.index.kind === "literal") {
          return partOfPlace(whole, literalIndex(target.index, length) * width, width);
        }
        const i = this.#clamped(target.index, length);
        if (whole.kind === "memory") return this.#elementInMemory(whole, i, width);
        const options = Array.from({ length }, (_, k) => partOfPlace(whole, k * width, width));
        return { kind: "choice", index: this.writer.share(i), options };
      }
    }
  }

  #assign(place: Place, scalars: readonly Code[], type: Type): void {
    const values = scalars.length > 1 ? this.#apart(scalars) : scalars;
    this.#store(place, values, type);
  }

  /** The scalars under names of their own where they are made of variables, which the assignment may change. */
  #apart(scalars: readonly Code[]): Code[] {
    return scalars.map((scalar) => {
      if (namesIn(scalar).size === 0) return scalar;
      const name = this.writer.name("t");
      this.writer.line(`const ${name} = ${scalar};`);
      return name;
    });
  }

  #store(place: Place, values: readonly Code[], type: Type): void {
    if (place.kind === "choice") {
      const kept = this.#apart(values);
      place.options.forEach((option, k) => {
        const lines = this.writer.capture(() => this.#store(option, kept, type));
        this.writer.block(`${k > 0 ? "else " : ""}if (${place.index} === ${k})`, lines);
      });
      return;
    }
    values.forEach((value, k) => {
      const to = place.kind === "memory" ? `${place.array}[${memoryAt(place.base, k)}]` : place.scalars[k];
      this.writer.line(`${to} = ${value};`);
    });
  }
}

const zeroCode = (scalar: Scalar): Code => (scalar === "bool" ? "false" : numberCode(0));

/** Simplifying may leave an index out of range. */
const literalIndex = ({ value }: Literal, length: number): number =>
  Math.max(0, Math.min(Number(value), length - 1));

function returns(statement: Statement): boolean {
  if (statement.kind === "return") return true;
  if (statement.kind === "if") return statement.body.some(returns) || statement.otherwise.some(returns);
  return statement.kind === "for" && statement.body.some(returns);
}

/** How many elements a vector, matrix or array has, and their type. */
function elementsOf(type: Type): readonly [length: number, element: Type] {
  switch (type.kind) {
    case "vector":
      return [type.size, { kind: "scalar", scalar: type.scalar }];
    case "matrix":
      return [type.columns, { kind: "vector", size: type.rows, scalar: type.scalar }];
    case "array":
      return [type.length, type.element];
    default:
      throw new TypeError(`${type.kind} has no elements`);
  }
}

/** How many scalars come before a member, and its type. */
function memberOf(type: Type, name: string): readonly [first: number, type: Type] {
  if (type.kind !== "struct") throw new TypeError(`${type.kind} has no members`);
  let first = 0;
  for (const member of type.members) {
    if (member.name === name) return [first, member.type];
    first += scalarCount(member.type);
  }
  throw new TypeError(`${type.name} has no member ${name}`);
}

function partOf(operand: Operand, first: number, count: number): Operand {
  if (operand.kind === "scalars")
    return { kind: "scalars", scalars: operand.scalars.slice(first, first + count) };
  return { ...operand, base: memoryAt(operand.base, first) };
}

function partOfPlace(place: Place, first: number, count: number): Place {
  if (place.kind !== "choice") return partOf(place, first, count);
  return { ...place, options: place.options.map((option) => partOfPlace(option, first, count)) };
}
