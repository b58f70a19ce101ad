/** Element filters as shaders take them: functions of the representation, in f32. */
import type { KernelFunction } from "../../../kernel/ir.ts";
import type { Library } from "../../../kernel/text/environment.ts";
import { parseExpression, parseFunctions } from "../../../kernel/text/parse.ts";
import { f32 } from "../../../kernel/types.ts";
import { inputNames } from "./elementwise.ts";
import type { ElementOverload, FunctionText } from "./filter.ts";
import { kernelType } from "./kernel-types.ts";

export interface ElementKernel {
  readonly callable: KernelFunction;
  /** What it may call. */
  readonly library: Library;
}

const aliases = { real: f32 };
const libraries = new WeakMap<FunctionText, Library>();
const functionTexts = new Map<string, FunctionText>();
const kernels = new WeakMap<ElementOverload, Map<string, ElementKernel>>();

/** Functions of texts with those that they require, each once, whichever texts share them. */
function libraryOf(texts: readonly FunctionText[]): Library {
  const parts = texts.map((text) => {
    let library = libraries.get(text);
    if (!library) {
      library = parseFunctions(text.text, { aliases, library: libraryOf(text.requires ?? []) });
      libraries.set(text, library);
    }
    return library;
  });
  return {
    structs: [...new Set(parts.flatMap(({ structs }) => structs))],
    functions: [...new Set(parts.flatMap(({ functions }) => functions))],
  };
}

function functionText(text: string): FunctionText {
  const known = functionTexts.get(text) ?? { text };
  functionTexts.set(text, known);
  return known;
}

/** The overload's value as a function of its inputs; `known[k]` is argument k's value where it is a scalar constant. */
export function elementKernel(
  overload: ElementOverload,
  known: readonly (number | undefined)[],
): ElementKernel {
  const { inputs, output, shader, functions } = overload;
  const { text } = shader ?? overload;
  const chosen = typeof text === "string" ? text : text(known);
  const made = kernels.get(overload) ?? new Map<string, ElementKernel>();
  kernels.set(overload, made);
  let kernel = made.get(chosen);
  if (!kernel) {
    const texts = shader ? (shader.functions ?? []) : functions ? [functionText(functions)] : [];
    const library = libraryOf(texts);
    const parameters = Object.fromEntries(inputs.map((type, k) => [inputNames[k], kernelType(type)]));
    const callable = parseExpression(chosen, parameters, kernelType(output), { aliases, library });
    kernel = { callable, library };
    made.set(chosen, kernel);
  }
  return kernel;
}
