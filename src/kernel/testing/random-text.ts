/** Random kernels as text, over the declarations of `grid-kernel.ts`. */

type TypeName = "f32" | "i32" | "u32" | "bool" | "vec3f" | "vec2i" | "array<f32, 3>";

interface Name {
  readonly text: string;
  readonly type: TypeName;
  readonly isMutable: boolean;
}

interface Callable {
  readonly name: string;
  readonly parameters: readonly TypeName[];
  readonly result: TypeName;
}

const declared: readonly TypeName[] = ["f32", "i32", "u32", "bool", "vec3f", "vec2i", "array<f32, 3>"];
const simple: readonly TypeName[] = ["f32", "i32", "u32", "bool", "vec3f", "vec2i"];

/** A kernel that the numbers from 0 to 1 that `random` gives choose. */
export const randomKernelText = (random: () => number): string => new Writer(random).kernel();

class Writer {
  private readonly random: () => number;
  private readonly callables: Callable[] = [];
  private count = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  kernel(): string {
    const functions = Array.from({ length: this.below(3) }, () => this.function());
    const scope: Name[] = [];
    const body = this.block(scope, 6, 2, false);
    const outputs = [
      `out.result = ${this.expression("f32", scope, 3)};`,
      `out.vector = ${this.expression("vec3f", scope, 3)};`,
      `out.count = ${this.expression("i32", scope, 3)};`,
    ];
    return [...functions, ...body, ...outputs].join("\n");
  }

  private below(limit: number): number {
    return Math.min(limit - 1, Math.floor(this.random() * limit));
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  private function(): string {
    const parameters = Array.from({ length: 1 + this.below(2) }, () => this.pick(simple));
    const result = this.pick(simple);
    const names = parameters.map((type): Name => ({ text: this.fresh("p"), type, isMutable: false }));
    const scope = [...names];
    const early = this.below(2)
      ? [`if (${this.expression("bool", scope, 2)}) { return ${this.expression(result, scope, 2)}; }`]
      : [];
    const body = [...early, ...this.block(scope, 3, 1, false)];
    const name = this.fresh("f");
    const list = names.map(({ text, type }) => `${text}: ${type}`).join(", ");
    const last = `return ${this.expression(result, scope, 2)};`;
    this.callables.push({ name, parameters, result });
    return `fn ${name}(${list}) -> ${result} {\n${[...body, last].join("\n")}\n}`;
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.count++}`;
  }

  /** Adds what it declares to the scope. */
  private block(scope: Name[], limit: number, depth: number, isInLoop: boolean): string[] {
    return Array.from({ length: this.below(limit + 1) }, () => this.statement(scope, depth, isInLoop));
  }

  private statement(scope: Name[], depth: number, isInLoop: boolean): string {
    const inner = (isInside: boolean, extra: readonly Name[] = []) =>
      `{ ${this.block([...scope, ...extra], 3, depth - 1, isInside).join(" ")} }`;
    const choice = this.below(depth > 0 ? 9 : 6);
    const mutable = scope.filter(({ isMutable }) => isMutable);
    if (choice < 3 || (choice < 6 && mutable.length === 0)) {
      const name: Name = { text: this.fresh("v"), type: this.pick(declared), isMutable: this.below(2) === 1 };
      const value = this.expression(name.type, scope, 3);
      scope.push(name);
      return `${name.isMutable ? "var" : "let"} ${name.text}: ${name.type} = ${value};`;
    }
    if (choice < 6) return this.assignment(this.pick(mutable), scope);
    if (choice === 6 && isInLoop) {
      return `if (${this.expression("bool", scope, 2)}) { ${this.pick(["break", "continue"])}; }`;
    }
    if (choice < 8) {
      const otherwise = this.below(2) ? ` else ${inner(isInLoop)}` : "";
      return `if (${this.expression("bool", scope, 2)}) ${inner(isInLoop)}${otherwise}`;
    }
    const counter: Name = { text: this.fresh("i"), type: this.pick(["i32", "u32"]), isMutable: false };
    const [from, to] = [this.below(4), this.below(6)];
    const head = this.below(2)
      ? `${from}; ${counter.text} < ${to}; ${counter.text}++`
      : `${from + 3}; ${counter.text} > ${to}; ${counter.text} -= 2`;
    return `for (var ${counter.text}: ${counter.type} = ${head}) ${inner(true, [counter])}`;
  }

  private assignment({ text, type }: Name, scope: readonly Name[]): string {
    if (type === "vec3f" && this.below(2)) {
      return `${text}.${this.pick(["x", "y", "z"])} += ${this.expression("f32", scope, 2)};`;
    }
    if (type === "array<f32, 3>" && this.below(2)) {
      return `${text}[min(${this.expression("i32", scope, 1)}, 7i)] = ${this.expression("f32", scope, 2)};`;
    }
    return `${text} = ${this.expression(type, scope, 3)};`;
  }

  private expression(type: TypeName, scope: readonly Name[], depth: number): string {
    const fitting = scope.filter((name) => name.type === type);
    if (fitting.length > 0 && this.below(3) === 0) return this.pick(fitting).text;
    if (depth === 0) return this.leaf(type);
    const callable = this.callables.filter(({ result }) => result === type);
    if (callable.length > 0 && this.below(5) === 0) {
      const { name, parameters } = this.pick(callable);
      return `${name}(${parameters.map((parameter) => this.expression(parameter, scope, depth - 1)).join(", ")})`;
    }
    const of = (inner: TypeName) => `(${this.expression(inner, scope, depth - 1)})`;
    return this.pick(this.forms(type, of))();
  }

  private forms(type: TypeName, of: (inner: TypeName) => string): readonly (() => string)[] {
    const operation = (operators: readonly string[]) => () =>
      `${of(type)} ${this.pick(operators)} ${of(type)}`;
    const select = () => `select(${of(type)}, ${of(type)}, ${of("bool")})`;
    switch (type) {
      case "f32":
        return [
          operation(["+", "-", "*", "/"]),
          operation(["+", "*"]),
          () => `${this.pick(["min", "max"])}(${of(type)}, ${of(type)})`,
          () => `${this.pick(["abs", "floor", "-", "sign"])}(${of(type)})`,
          () => `f32${of(this.pick(["i32", "u32", "bool"]))}`,
          () => `(${this.variableVector(of)}).${this.pick(["x", "y", "z"])}`,
          () => `dot(${of("vec3f")}, ${of("vec3f")})`,
          () => `table${of("u32")}`,
          () => `array<f32, 3>(${of(type)}, ${of(type)}, ${of(type)})[min(${of("i32")}, 7i)]`,
          select,
        ];
      case "i32":
      case "u32":
        return [
          operation(["+", "-", "*", "/", "%", "&", "|", "^"]),
          () => `${of(type)} ${this.pick(["<<", ">>"])} (${of("u32")} & 31u)`,
          () => `${this.pick(["min", "max"])}(${of(type)}, ${of(type)})`,
          () => (type === "i32" ? `-${of(type)}` : `~${of(type)}`),
          () => `${type}${of(type === "i32" ? "u32" : "i32")}`,
          () => `${type}(${of("bool")})`,
          () => (type === "i32" ? `${of("vec2i")}.y` : `nodes${of("u32")}`),
          select,
        ];
      case "bool":
        return [
          () => `${of("f32")} ${this.pick(["<", "<=", "==", "!="])} ${of("f32")}`,
          () => `${of("i32")} ${this.pick(["<", ">=", "=="])} ${of("i32")}`,
          operation(["&&", "||", "==", "!=", "&", "|"]),
          () => `!${of(type)}`,
          () => `isNan(${of("f32")})`,
        ];
      case "vec3f":
        return [
          operation(["+", "-", "*"]),
          () => `${of("f32")} * ${of(type)}`,
          () => `vec3f(${of("f32")}, ${of("f32")}, ${of("f32")})`,
          () => `vec3f(${of(type)}.zx, ${of("f32")})`,
          () => `${of(type)}.${this.pick(["zyx", "xyz", "xxy"])}`,
          () => `vec3f(${of("f32")})`,
          select,
        ];
      case "vec2i":
        return [
          operation(["+", "-", "*", "&", "^"]),
          () => `vec2i(${of("i32")}, ${of("i32")})`,
          () => `${of(type)}.yx`,
          select,
        ];
      case "array<f32, 3>":
        return [() => `array<f32, 3>(${of("f32")}, ${of("f32")}, ${of("f32")})`];
    }
  }

  private variableVector(of: (inner: TypeName) => string): string {
    return this.below(2) ? "vectors()" : of("vec3f");
  }

  private leaf(type: TypeName): string {
    switch (type) {
      case "f32":
        return this.pick([
          "f32(0)",
          "1f",
          "0.5f",
          "own()",
          "near(1, 0, 0)",
          "constants.scale",
          "corners(2)",
          "f32(-3)",
        ]);
      case "i32":
        return this.pick(["0i", "1i", "i32(-7)", "constants.reach", "2147483647i"]);
      case "u32":
        return this.pick(["0u", "1u", "31u", "element", "at.x", "4294967295u"]);
      case "bool":
        return this.pick(["true", "false", "(own() > 0)"]);
      case "vec3f":
        return this.pick(["vec3f()", "vectors()", "constants.offset", "vec3f(1, 2, 3)"]);
      case "vec2i":
        return this.pick(["vec2i()", "vec2i(1, 0)", "vec2i(at.xy)"]);
      case "array<f32, 3>":
        return "array<f32, 3>()";
    }
  }
}
