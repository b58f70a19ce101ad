/** Functions of values as JavaScript. */
import { scalarsOf } from "../../constants.ts";
import type { KernelFunction, Statement } from "../../ir.ts";
import type { Type } from "../../types.ts";
import { expressionsBelow, expressionsOf, statementsBelow } from "../../walk.ts";
import { preamble } from "./algebra.ts";
import { BodyEmitter, type Surroundings } from "./body.ts";
import { type Code, CodeWriter, withoutUnused } from "./code.ts";
import { indexedVariables } from "./memory.ts";
import type { Operand } from "./operand.ts";

/** Functions of values alone. */
const nothing = (name: string): Surroundings => {
  const refuse = () => {
    throw new TypeError(`“${name}” reads a kernel's inputs, constants or place.`);
  };
  return { constant: refuse, position: refuse, load: refuse, output: refuse };
};

/** The bodies of a function and of those that it calls. */
function bodiesOf(callable: KernelFunction): (readonly Statement[])[] {
  const found = new Map<KernelFunction, readonly Statement[]>();
  const visit = (known: KernelFunction) => {
    if (found.has(known)) return;
    found.set(known, known.body);
    for (const statement of statementsBelow(known.body)) {
      for (const expression of expressionsOf(statement)) {
        for (const part of expressionsBelow(expression)) if (part.kind === "call") visit(part.callee);
      }
    }
  };
  visit(callable);
  return [...found.values()];
}

interface Emitted {
  readonly once: readonly string[];
  readonly lines: readonly string[];
  readonly results: readonly Code[];
}

function emitCall(callable: KernelFunction, values: (writer: CodeWriter) => readonly Operand[]): Emitted {
  const writer = new CodeWriter();
  const once: string[] = [];
  const emitter = new BodyEmitter(writer, once, indexedVariables(bodiesOf(callable)), nothing(callable.name));
  let results: readonly Code[] = [];
  const lines = writer.capture(() => {
    results = emitter.call(callable, values(writer));
  });
  return { once, lines, results };
}

const element = (array: Code, at: Code, isBool: boolean): Code =>
  isBool ? `(${array}[${at}] !== 0)` : `${array}[${at}]`;

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/**
 * The statements of a function (library) that returns the function: it takes numbers and booleans, and arrays of them for vectors,
 * matrices, arrays and structs, and returns the same.
 */
export function emitJsFunction(callable: KernelFunction): string {
  const parameters = callable.parameters.map((_, i) => `given${i}`);
  const { once, lines, results } = emitCall(callable, (writer) =>
    callable.parameters.map(({ name, type }, i) => {
      if (type.kind === "scalar") return { kind: "scalars", scalars: [parameters[i]] };
      const scalars = scalarsOf(type).map((_, k) => {
        const held = writer.name(name);
        writer.line(`const ${held} = given${i}[${k}];`);
        return held;
      });
      return { kind: "scalars", scalars };
    }),
  );
  const result = callable.result.kind === "scalar" ? results[0] : `[${results.join(", ")}]`;
  const body = withoutUnused([...lines, `return ${result};`], "");
  return [...preamble, ...once, `return (${parameters.join(", ")}) => {`, ...indent(body), "};"].join("\n");
}

const widthOf = (type: Type): number => scalarsOf(type).length;

/**
 * The statements of a function (library) that returns the function's loop (args, out, count): one interleaved array for each
 * parameter and one for the results, with booleans as 0 and 1. `out` may be an argument of as many components.
 */
export function emitJsLoop(callable: KernelFunction): string {
  const { once, lines, results } = emitCall(callable, (writer) =>
    callable.parameters.map(({ name, type }, i) => {
      const scalars = scalarsOf(type).map((scalar, k) => {
        const held = writer.name(name);
        const at = placeCode(widthOf(type), k);
        writer.line(`const ${held} = ${element(`arg${i}`, at, scalar === "bool")};`);
        return held;
      });
      return { kind: "scalars", scalars };
    }),
  );
  const resultScalars = scalarsOf(callable.result);
  const values = resultScalars.map((scalar, k) => (scalar === "bool" ? `${results[k]} ? 1 : 0` : results[k]));
  const held = values.length === 1 ? [] : values.map((value, k) => `const result${k} = ${value};`);
  const stores = values.map((value, k) => {
    const at = placeCode(values.length, k);
    return `out[${at}] = ${values.length === 1 ? value : `result${k}`};`;
  });
  const inner = withoutUnused([...lines, ...held, ...stores], "");
  return [
    ...preamble,
    ...once,
    "return (args, out, count) => {",
    ...callable.parameters.map((_, i) => `  const arg${i} = args[${i}];`),
    "  for (let e = 0; e < count; e++) {",
    ...indent(indent(inner)),
    "  }",
    "};",
  ].join("\n");
}

function placeCode(width: number, component: number): Code {
  const first = width === 1 ? "e" : `e * ${width}`;
  return component === 0 ? first : `${first} + ${component}`;
}
