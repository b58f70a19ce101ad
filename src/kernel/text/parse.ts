/** Kernel text, a subset of WGSL, to the intermediate representation: see `docs/kernels.md`. */
import { checkFunctions, checkKernel } from "../check.ts";
import { kernelError } from "../errors.ts";
import type { KernelFunction, KernelProgram, Variable } from "../ir.ts";
import { type Type, u32 } from "../types.ts";
import { settleTo } from "./abstract.ts";
import { type Aliases, Environment, type Library, type Signature } from "./environment.ts";
import { StatementLowering } from "./lower-statement.ts";
import { parseLoneExpression, parseModule } from "./parse-module.ts";
import { Scope } from "./scope.ts";
import type { FunctionSyntax, ModuleSyntax, StatementSyntax } from "./syntax.ts";

export interface TextOptions {
  /** Names that stand for types in the text. */
  readonly aliases?: Aliases;
  /** What the text may call, beside what it declares itself. */
  readonly library?: Library;
}

export interface KernelText extends Signature, TextOptions {
  readonly name: string;
  readonly text: string;
}

/** Lowers what a text declares; returns the lowering, the scope of its consts and the statements that are left. */
function lowerModule(
  module: ModuleSyntax,
  signature: Signature | undefined,
  { aliases = {}, library }: TextOptions,
) {
  const environment = new Environment(signature, aliases);
  if (library) environment.include(library);
  const statements = new StatementLowering(environment);
  const scope = new Scope();
  environment.lowerLength = (value) => {
    const length = settleTo(statements.expressions.lower(value, scope), u32, "An array's length");
    if (length.kind === "literal" && Number(length.value) > 0) return Number(length.value);
    throw kernelError(
      "An array's length is not a number above 0.",
      "Write a number, or the name of a const.",
      value.span,
    );
  };
  environment.lowerFunction = (syntax: FunctionSyntax) => {
    const parameters: Variable[] = environment.parameters(syntax);
    const inner = new Scope(scope);
    parameters.forEach((variable, i) => {
      statements.refuseReserved(syntax.parameters[i]);
      inner.declare(syntax.parameters[i].name, { variable });
    });
    const result = environment.type(syntax.result);
    return { name: syntax.name.text, parameters, result, body: statements.block(syntax.body, inner, result) };
  };
  const body: StatementSyntax[] = [];
  for (const statement of module.body) {
    if (statement.kind === "declare" && statement.keyword === "const")
      statements.declareConstant(statement, scope);
    else body.push(statement);
  }
  for (const struct of module.structs) environment.declareStruct(struct);
  for (const written of module.functions) environment.declareFunction(written);
  for (const written of module.functions) environment.functionNamed(written.name);
  return { environment, statements, scope, body };
}

/**
 * A kernel: functions, structs and consts, and the statements of its body between them. Throws a KernelError that says
 * where the text is wrong.
 */
export function parseKernel(kernel: KernelText): KernelProgram {
  const { name, inputs, outputs, constants, callables, text } = kernel;
  const lowered = lowerModule(parseModule(text), { inputs, outputs, constants, callables }, kernel);
  const program: KernelProgram = {
    name,
    inputs,
    outputs,
    constants,
    structs: [...lowered.environment.structs.values()],
    body: lowered.statements.block(lowered.body, lowered.scope, undefined),
    functions: lowered.environment.functions,
  };
  checkKernel(program);
  return program;
}

/** Functions of values, with their structs and consts, after those of the library. */
export function parseFunctions(text: string, options: TextOptions = {}): Library {
  const { environment, body } = lowerModule(parseModule(text), undefined, options);
  if (body.length > 0) {
    throw kernelError(
      "A statement stands outside a function.",
      "Write it in a function: fn name(x: f32) -> f32 { … }.",
      body[0].span,
    );
  }
  const found = { structs: [...environment.structs.values()], functions: environment.functions };
  checkFunctions(found);
  return found;
}

export interface ExpressionOptions extends TextOptions {
  readonly name?: string;
  /** Converts the value to the result's type, as `f32(…)` does, where it is of another one. */
  readonly isConverted?: boolean;
}

/** A text that is one expression of the parameters, as a function. */
export function parseExpression(
  text: string,
  parameters: Readonly<Record<string, Type>>,
  result: Type,
  options: ExpressionOptions = {},
): KernelFunction {
  const { name = "value", isConverted = false, library = { structs: [], functions: [] } } = options;
  const syntax = parseLoneExpression(text);
  const { statements } = lowerModule({ structs: [], functions: [], body: [] }, undefined, options);
  const scope = new Scope();
  const variables = Object.entries(parameters).map(
    ([parameter, type]): Variable => ({
      name: parameter,
      type,
      isMutable: false,
    }),
  );
  for (const variable of variables) scope.declare({ text: variable.name, span: syntax.span }, { variable });
  const lowered = statements.expressions.lower(syntax, scope);
  const value = isConverted
    ? statements.expressions.construct(result, [lowered], syntax.span)
    : settleTo(lowered, result, "The expression's result");
  const made: KernelFunction = {
    name,
    parameters: variables,
    result,
    body: [{ kind: "return", value, span: syntax.span }],
    span: syntax.span,
  };
  checkFunctions({ structs: library.structs, functions: [...library.functions, made] });
  return made;
}
