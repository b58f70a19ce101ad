import { floatTests } from "../../../gpu/shader/finite.ts";
import type { Fragment } from "../../../gpu/shader/fragment.ts";
import type { ElementOverload } from "./filter.ts";

/** The names of an overload's inputs in its text, in order. */
export const inputNames = ["a", "b", "c", "d"] as const;

const fragmentsOfText = new Map<string, Fragment>();

/** Kernel text is WGSL but for `real` and the tests of floats, so that shaders take it as it stands. */
const shaderText = (text: string): string => text.replace(/<real>/g, "f").replace(/\breal\b/g, "f32");

function functionsFragment(functions: string): Fragment {
  let fragment = fragmentsOfText.get(functions);
  if (!fragment) {
    const [, name = "functions"] = /\bfn\s+(\w+)/.exec(functions) ?? [];
    fragment = { name, code: shaderText(functions), requires: [floatTests] };
    fragmentsOfText.set(functions, fragment);
  }
  return fragment;
}

export interface ElementWgsl {
  readonly expression: string;
  readonly fragments: readonly Fragment[];
}

/**
 * The overload's value as an expression of its WGSL type. Arguments are names or literals; `known[k]` is argument k's
 * value where it is a scalar constant.
 */
export function elementWgsl(
  { text, functions, shader }: ElementOverload,
  args: readonly string[],
  known: readonly (number | undefined)[],
): ElementWgsl {
  if (shader) return { expression: shader.wgsl(args, known), fragments: shader.fragments ?? [] };
  const expression = shaderText(text).replace(
    /(?<![\w.])[abcd]\b/g,
    (name) => args[inputNames.indexOf(name as (typeof inputNames)[number])],
  );
  const fragments = functions
    ? [functionsFragment(functions)]
    : /\bis(Nan|Inf|Finite)\(/.test(text)
      ? [floatTests]
      : [];
  return { expression, fragments };
}
