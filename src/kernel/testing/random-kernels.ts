/**
 * Random kernels of all types and nodes, made node by node: they have no use, and say whether all who run kernels agree on
 * what they mean.
 */
import * as build from "../build.ts";
import { type BuiltinOverload, builtins, overloadsOf } from "../builtins.ts";
import type { Expression, KernelFunction, KernelProgram, Statement, Target, Variable } from "../ir.ts";
import {
  arrayOf,
  bool,
  type Extent,
  elementType,
  f32,
  f64,
  i32,
  isSameType,
  matrixOf,
  type Scalar,
  type StructType,
  scalarOf,
  type Type,
  typeText,
  u32,
  vectorOf,
} from "../types.ts";

export interface RandomOptions {
  /** Whether f64 is among the scalars. */
  readonly hasDoubles: boolean;
}

const struct: StructType = {
  kind: "struct",
  name: "Pair",
  members: [
    { name: "first", type: vectorOf("f32", 3) },
    { name: "flag", type: bool },
    { name: "table", type: arrayOf(i32, 3) },
  ],
};

const inputs: KernelProgram["inputs"] = {
  own: { scalar: "f32", access: { kind: "own" } },
  words: { scalar: "u32", access: { kind: "own" } },
  vectors: { scalar: "f32", components: 4, access: { kind: "offsets" } },
  signed: { scalar: "i32", components: 2, access: { kind: "all" } },
  corners: { scalar: "f32", access: { kind: "map", map: "named", arity: 3 } },
  named: { scalar: "u32", access: { kind: "all" } },
};

const outputs: KernelProgram["outputs"] = {
  number: { scalar: "f32" },
  vector: { scalar: "f32", components: 3 },
  integer: { scalar: "i32", components: 2 },
  word: { scalar: "u32" },
};

const constants: KernelProgram["constants"] = {
  scale: f32,
  count: i32,
  mask: vectorOf("bool", 2),
  turn: matrixOf("f32", 3, 3),
  weights: arrayOf(f32, 4),
};

/** What calls of random kernels give for their constants. */
export const randomKernelConstants = {
  scale: 1.25,
  count: 3,
  mask: [1, 0],
  turn: [1, 2, 3, 0.5, -1, 0, 0.25, 4, -2],
  weights: [0.5, -1, 2, 1024],
};

const numbers: readonly number[] = [0, 1, 2, 3, 7, 31, 32, 33, 255, 65537, 2 ** 31 - 1];
const floats: readonly number[] = [0, -0, 1, -1, 0.5, -2.5, 3, 1e-3, 1e9, -1e20, 2 ** -126, 3e38, 4294967296];

interface Scope {
  readonly variables: readonly Variable[];
  /** Whether inputs, constants and the place can be read: everywhere but in functions of values. */
  readonly isKernel: boolean;
  readonly loops: number;
  readonly result: Type | undefined;
}

class RandomKernel {
  readonly #random: () => number;
  readonly #types: readonly Type[];
  readonly #overloads = new Map<string, { readonly name: string; readonly overload: BuiltinOverload }[]>();
  readonly #functions: KernelFunction[] = [];
  #count = 0;

  constructor(random: () => number, { hasDoubles }: RandomOptions) {
    this.#random = random;
    const scalars: Scalar[] = ["f32", "i32", "u32", "bool", ...(hasDoubles ? ["f64" as const] : [])];
    const extents: Extent[] = [2, 3, 4];
    const matrices = (hasDoubles ? (["f32", "f64"] as const) : (["f32"] as const)).flatMap((scalar) =>
      extents.map((extent) => matrixOf(scalar, extent, extent)).concat(matrixOf(scalar, 2, 3)),
    );
    this.#types = [
      ...scalars.flatMap((scalar) => [elementType(scalar), elementType(scalar)]),
      ...scalars.flatMap((scalar) => extents.map((extent) => vectorOf(scalar, extent))),
      ...matrices,
      arrayOf(f32, 3),
      arrayOf(vectorOf("u32", 2), 5),
      arrayOf(i32, 9),
      struct,
    ];
    const known = new Set([...this.#types.map(typeText), "mat3x2<f32>", "mat3x2<f64>"]);
    for (const builtin of builtins.values()) {
      for (const overload of overloadsOf(builtin)) {
        if (![...overload.parameters, overload.result].every((type) => known.has(typeText(type)))) continue;
        const key = typeText(overload.result);
        const list = this.#overloads.get(key) ?? [];
        list.push({ name: builtin.name, overload });
        this.#overloads.set(key, list);
      }
    }
  }

  program(name: string): KernelProgram {
    for (let k = 0; k < 3; k++) this.#functions.push(this.#function(`helper${k}`));
    const scope: Scope = { variables: [], isKernel: true, loops: 0, result: undefined };
    const [body, variables] = this.#statements(scope, 6, 2);
    const inner = { ...scope, variables };
    const sets = Object.entries(outputs).map(([output, { scalar, components }]): Statement => {
      const type = elementType(scalar, components);
      const target: Target = { kind: "output", name: output, type };
      return { kind: "assign", target, value: this.#expression(type, inner, 4) };
    });
    return {
      name,
      inputs,
      outputs,
      constants,
      structs: [struct],
      functions: this.#functions,
      body: [...body, ...sets],
    };
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)];
  }

  #function(name: string): KernelFunction {
    const parameters = Array.from({ length: 1 + this.#below(3) }, (_, k) =>
      build.constantVariable(`p${k}`, this.#pick(this.#types)),
    );
    const result = this.#pick(this.#types);
    const scope: Scope = { variables: parameters, isKernel: this.#below(3) === 0, loops: 0, result };
    const [statements, variables] = this.#statements(scope, 3, 2);
    const value = this.#expression(result, { ...scope, variables }, 3);
    return { name, parameters, result, body: [...statements, { kind: "return", value }] };
  }

  /** Statements, and what is in scope after them. */
  #statements(scope: Scope, count: number, depth: number): [Statement[], readonly Variable[]] {
    let { variables } = scope;
    const made = Array.from({ length: count }, (): Statement => {
      const inner = { ...scope, variables };
      const statement = this.#statement(inner, depth);
      if (statement.kind === "declare") variables = [...variables, statement.variable];
      return statement;
    });
    return [made, variables];
  }

  #statement(scope: Scope, depth: number): Statement {
    const mutable = scope.variables.filter(({ isMutable }) => isMutable);
    const choice = this.#below(10);
    if (choice < 3 && mutable.length > 0) return this.#assignment(this.#pick(mutable), scope);
    if (choice < 5 && depth > 0) return this.#if(scope, depth);
    if (choice < 7 && depth > 0) return this.#for(scope, depth);
    const type = this.#pick(this.#types);
    const isMutable = this.#below(3) > 0;
    const variable = { name: `v${this.#count++ % 5}`, type, isMutable };
    const value = isMutable && this.#below(4) === 0 ? undefined : this.#expression(type, scope, 3);
    return { kind: "declare", variable, value };
  }

  #assignment(variable: Variable, scope: Scope): Statement {
    let target: Target = { kind: "variable", variable, type: variable.type };
    while (this.#below(3) > 0) {
      const next = this.#part(target, scope);
      if (!next) break;
      target = next;
    }
    return { kind: "assign", target, value: this.#expression(target.type, scope, 3) };
  }

  #part(target: Target, scope: Scope): Target | undefined {
    const { type } = target;
    if (type.kind === "scalar") return undefined;
    if (type.kind === "struct") {
      const { name, type: member } = this.#pick(type.members);
      return { kind: "member", target, member: name, type: member };
    }
    const length = type.kind === "vector" ? type.size : type.kind === "matrix" ? type.columns : type.length;
    const element =
      type.kind === "vector"
        ? elementType(type.scalar)
        : type.kind === "matrix"
          ? vectorOf(type.scalar, type.rows)
          : type.element;
    const index = this.#index(length, scope);
    return { kind: "index", target, index, type: element };
  }

  /** A literal within bounds, or any integer. */
  #index(length: number, scope: Scope): Expression {
    const index = this.#expression(this.#pick([i32, u32]), scope, 1);
    return this.#below(2) || index.kind === "literal" ? build.literal(this.#below(length), u32) : index;
  }

  #if(scope: Scope, depth: number): Statement {
    const jump = (): Statement[] => {
      if (scope.loops > 0 && this.#below(3) === 0) return [{ kind: this.#pick(["break", "continue"]) }];
      if (scope.result && this.#below(4) === 0) {
        return [{ kind: "return", value: this.#expression(scope.result, scope, 2) }];
      }
      return [];
    };
    return {
      kind: "if",
      condition: this.#expression(bool, scope, 2),
      body: [...this.#statements(scope, 1 + this.#below(2), depth - 1)[0], ...jump()],
      otherwise: this.#below(2) ? this.#statements(scope, 1, depth - 1)[0] : [],
    };
  }

  #for(scope: Scope, depth: number): Statement {
    const type = this.#pick([i32, u32]);
    const variable = build.constantVariable(`i${this.#count++ % 3}`, type);
    const down = this.#below(2) === 1;
    const end = this.#pick([2, 3, 5]);
    const edge = type === i32 ? 2 ** 31 - 1 : 2 ** 32 - 1;
    const [from, to, step] =
      this.#below(5) === 0
        ? [edge - 3, edge, this.#pick([1, 2, 3])]
        : down
          ? [end, 0, -this.#pick([1, 2])]
          : [0, end, this.#pick([1, 2])];
    const inner = { ...scope, variables: [...scope.variables, variable], loops: scope.loops + 1 };
    return {
      kind: "for",
      variable,
      from: build.literal(from, type),
      to: build.literal(to, type),
      step,
      body: this.#statements(inner, 1 + this.#below(2), depth - 1)[0],
    };
  }

  #expression(type: Type, scope: Scope, depth: number): Expression {
    const fitting = scope.variables.filter((variable) => isSameType(variable.type, type));
    if (fitting.length > 0 && this.#below(3) === 0) return build.read(this.#pick(fitting));
    if (depth <= 0) return this.#leaf(type, scope);
    for (let tries = 0; tries < 4; tries++) {
      const made = this.#node(type, scope, depth - 1);
      if (made) return made;
    }
    return this.#leaf(type, scope);
  }

  #node(type: Type, scope: Scope, depth: number): Expression | undefined {
    const of = (wanted: Type) => this.#expression(wanted, scope, depth);
    switch (this.#below(9)) {
      case 0:
      case 1:
        return this.#operation(type, of);
      case 2:
      case 3: {
        const found = this.#overloads.get(typeText(type));
        if (!found) return undefined;
        const { name, overload } = this.#pick(found);
        return build.builtin(name, overload.parameters.map(of));
      }
      case 4: {
        const fitting = this.#functions.filter(({ result }) => isSameType(result, type));
        if (fitting.length === 0) return undefined;
        const callee = this.#pick(fitting);
        return build.call(
          callee,
          callee.parameters.map((parameter) => of(parameter.type)),
        );
      }
      case 5:
        return this.#conversion(type, of);
      case 6:
        return this.#partOfValue(type, scope, of);
      case 7:
        return this.#construct(type, of);
      default:
        return scope.isKernel ? this.#load(type, scope) : undefined;
    }
  }

  #operation(type: Type, of: (type: Type) => Expression): Expression | undefined {
    const scalar = scalarOf(type);
    if (scalar === undefined) return undefined;
    if (type.kind === "matrix") {
      const square = matrixOf(type.scalar, type.columns, type.columns);
      return this.#below(2)
        ? build.binary(this.#pick(["+", "-"]), of(type), of(type))
        : type.columns === 2 && type.rows === 3
          ? build.binary("*", of(type), of(square))
          : build.binary("*", of(type), of(this.#pick([square, elementType(type.scalar)])));
    }
    if (scalar === "bool") return this.#comparison(type, of);
    const isInteger = scalar === "i32" || scalar === "u32";
    const one = type.kind === "vector" && this.#below(3) === 0 ? elementType(scalar) : type;
    if (isInteger && this.#below(2)) {
      const distance = type.kind === "vector" ? vectorOf("u32", type.size) : u32;
      if (this.#below(3) === 0) return build.binary(this.#pick(["<<", ">>"]), of(type), of(distance));
      if (this.#below(3) === 0) return build.unary("~", of(type));
      return build.binary(this.#pick(["&", "|", "^"]), of(type), of(type));
    }
    if (scalar !== "u32" && this.#below(5) === 0) return build.unary("-", of(type));
    if (type.kind === "vector" && !isInteger && this.#below(4) === 0 && scalar !== undefined) {
      const matrix = matrixOf(scalar as "f32" | "f64", type.size, type.size);
      return this.#below(2)
        ? build.binary("*", of(matrix), of(type))
        : build.binary("*", of(type), of(matrix));
    }
    return build.binary(this.#pick(["+", "-", "*", "/", "%"]), of(type), of(one));
  }

  #comparison(type: Type, of: (type: Type) => Expression): Expression {
    const shape = (scalar: Scalar) => elementType(scalar, type.kind === "vector" ? type.size : 1);
    if (this.#below(4) === 0) return build.unary("!", of(type));
    if (this.#below(3) === 0) {
      const operators = type.kind === "scalar" ? (["&&", "||", "&", "|"] as const) : (["&", "|"] as const);
      return build.binary(this.#pick(operators), of(type), of(type));
    }
    const operand = shape(this.#pick(["f32", "i32", "u32"]));
    return build.binary(this.#pick(["==", "!=", "<", "<=", ">", ">="]), of(operand), of(operand));
  }

  #conversion(type: Type, of: (type: Type) => Expression): Expression | undefined {
    const scalar = scalarOf(type);
    if (scalar === undefined || type.kind === "matrix") return undefined;
    const shape = (from: Scalar) => elementType(from, type.kind === "vector" ? type.size : 1);
    const bits: readonly Scalar[] = ["f32", "i32", "u32"];
    if (bits.includes(scalar) && this.#below(4) === 0)
      return build.bitcast(type, of(shape(this.#pick(bits))));
    return build.convert(type, of(shape(this.#pick(["f32", "i32", "u32", "bool"]))));
  }

  #partOfValue(type: Type, scope: Scope, of: (type: Type) => Expression): Expression | undefined {
    if (type.kind === "array" || type.kind === "struct" || type.kind === "matrix") return undefined;
    const containers = this.#types.filter(
      (whole) =>
        (whole.kind === "array" && isSameType(whole.element, type)) ||
        (whole.kind === "matrix" && type.kind === "vector" && whole.rows === type.size) ||
        (whole.kind === "struct" && whole.members.some((member) => isSameType(member.type, type))) ||
        (whole.kind === "vector" && whole.scalar === type.scalar),
    );
    const fitting = containers.filter(
      (whole) => scalarOf(whole) === undefined || scalarOf(whole) === type.scalar,
    );
    if (fitting.length === 0) return undefined;
    const whole = this.#pick(fitting);
    if (whole.kind === "struct") {
      const { name } = whole.members.find((member) => isSameType(member.type, type))!;
      return build.member(of(whole), name);
    }
    if (whole.kind === "vector" && (type.kind === "vector" || this.#below(2))) {
      const count = type.kind === "vector" ? type.size : 1;
      const letters = Array.from({ length: count }, () => "xyzw"[this.#below(whole.size)]);
      return build.swizzle(of(whole), letters.join(""));
    }
    const length =
      whole.kind === "vector"
        ? whole.size
        : whole.kind === "matrix"
          ? whole.columns
          : whole.kind === "array"
            ? whole.length
            : 1;
    return build.index(of(whole), this.#index(length, scope));
  }

  #construct(type: Type, of: (type: Type) => Expression): Expression | undefined {
    switch (type.kind) {
      case "scalar":
        return undefined;
      case "vector": {
        const scalar = elementType(type.scalar);
        if (this.#below(4) === 0) return build.construct(type, [of(scalar)]);
        if (type.size > 2 && this.#below(2)) {
          const rest = Array.from({ length: type.size - 2 }, () => of(scalar));
          return build.construct(type, [of(vectorOf(type.scalar, 2)), ...rest]);
        }
        return build.construct(
          type,
          Array.from({ length: type.size }, () => of(scalar)),
        );
      }
      case "matrix":
        return build.construct(
          type,
          Array.from({ length: type.columns }, () => of(vectorOf(type.scalar, type.rows))),
        );
      case "array":
        return build.construct(
          type,
          Array.from({ length: type.length }, () => of(type.element)),
        );
      case "struct":
        return build.construct(
          type,
          type.members.map((member) => of(member.type)),
        );
    }
  }

  #load(type: Type, scope: Scope): Expression | undefined {
    const offset = () => build.literal(this.#below(5) - 2, i32);
    const all = [
      { name: "own", indices: () => [] },
      { name: "words", indices: () => [] },
      { name: "vectors", indices: () => [offset()] },
      { name: "signed", indices: () => [this.#expression(this.#pick([i32, u32]), scope, 1)] },
      { name: "corners", indices: () => [build.literal(this.#below(3), u32)] },
      { name: "named", indices: () => [this.#expression(u32, scope, 1)] },
    ];
    const fitting = all.filter(({ name }) =>
      isSameType(elementType(inputs[name].scalar, inputs[name].components), type),
    );
    if (fitting.length === 0) return undefined;
    const { name, indices } = this.#pick(fitting);
    return build.load(name, inputs[name], indices());
  }

  #leaf(type: Type, scope: Scope): Expression {
    if (scope.isKernel && this.#below(2)) {
      const loaded = this.#load(type, { ...scope, variables: [] });
      if (loaded) return loaded;
      const fitting = Object.entries(constants).filter(([, known]) => isSameType(known, type));
      if (fitting.length > 0) return build.constant(fitting[0][0], type);
      if (isSameType(type, u32)) return build.position(this.#pick(["element", "place"]));
      if (isSameType(type, vectorOf("u32", 3))) return build.position("at");
    }
    if (type.kind !== "scalar") return this.#construct(type, (part) => this.#leaf(part, scope))!;
    if (type.scalar === "bool") return build.literal(this.#below(2) === 1, bool);
    const isFloat = type.scalar === "f32" || type.scalar === "f64";
    const value = isFloat ? this.#pick(floats) : this.#pick(numbers);
    if (type.scalar === "i32") return build.literal(this.#pick([value, -value, -(2 ** 31)]), i32);
    if (type.scalar === "u32") return build.literal(this.#pick([value, 2 ** 32 - 1 - value]), u32);
    return build.literal(value, type.scalar === "f64" ? f64 : f32);
  }
}

export function randomKernel(random: () => number, name: string, options: RandomOptions): KernelProgram {
  return new RandomKernel(random, options).program(name);
}
