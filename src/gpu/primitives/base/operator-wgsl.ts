import type { BinaryOperator } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Fragment } from "../../shader/fragment.ts";

/** WGSL `fn <name>(a: type, b: type) -> type` of an operator. */
export function operatorFunction(operator: BinaryOperator, type: ScalarType, name = "combine"): Fragment {
  return {
    name: `operator ${operator.name} of ${type}`,
    code: `fn ${name}(a: ${type}, b: ${type}) -> ${type} {\n  return ${operator.text(type)};\n}`,
  };
}

const words = new DataView(new ArrayBuffer(4));

/** The bits of a value as a kernel's parameter. */
export function toWord(type: ScalarType, value: number): number {
  if (type === "f32") {
    words.setFloat32(0, value);
    return words.getUint32(0);
  }
  return value >>> 0;
}

/** The value of a word. */
export function fromWord(type: ScalarType, word: number): number {
  if (type === "f32") {
    words.setUint32(0, word);
    return words.getFloat32(0);
  }
  return type === "i32" ? word | 0 : word >>> 0;
}
