/** Element filters on a CPU, from their texts. With this module comes the kernel layer, which no picture needs to begin with. */
import { type CompileOptions, compileLoop } from "../../../kernel/compile-js.ts";
import type { KernelFunction } from "../../../kernel/ir.ts";
import { simplifyFunctions } from "../../../kernel/simplify/simplify.ts";
import { parseFunctions } from "../../../kernel/text/parse.ts";
import { elementType } from "../../../kernel/types.ts";
import type { ValueType } from "../types.ts";
import { inputNames } from "./elementwise.ts";
import type { ElementLoop, ElementOverload } from "./filter.ts";

const aliases = { real: elementType("f64") };

const typeNames: Readonly<Record<Exclude<ValueType, "histogram">, string>> = {
  bool: "bool",
  scalar: "real",
  vec2: "vec2<real>",
  vec3: "vec3<real>",
  mat3: "mat3x3<real>",
};

function typeName(type: ValueType): string {
  if (type === "histogram") throw new TypeError("A histogram has no elements.");
  return typeNames[type];
}

const functions = new WeakMap<ElementOverload, KernelFunction>();
const loops = new WeakMap<ElementOverload, ElementLoop>();

/** The overload's function of one element, in f64: parsed once. */
export function elementFunction(overload: ElementOverload): KernelFunction {
  let made = functions.get(overload);
  if (!made) {
    const parameters = overload.inputs.map((type, k) => `${inputNames[k]}: ${typeName(type)}`).join(", ");
    const text = `${overload.functions ?? ""}
fn element_value(${parameters}) -> ${typeName(overload.output)} { return ${overload.text}; }`;
    made = simplifyFunctions(parseFunctions(text, { aliases }).functions).at(-1)!;
    functions.set(overload, made);
  }
  return made;
}

/** The overload's loop: made once, generated where the page allows it, else interpreted. */
export function elementLoop(overload: ElementOverload, options?: CompileOptions): ElementLoop {
  if (overload.loop) return overload.loop;
  if (options) return compileLoop(elementFunction(overload), options);
  let made = loops.get(overload);
  if (!made) {
    made = compileLoop(elementFunction(overload));
    loops.set(overload, made);
  }
  return made;
}
