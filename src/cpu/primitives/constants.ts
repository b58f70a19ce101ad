import type { ConstantValues } from "../../core/primitives/access.ts";
import { type Signature, valuesOf } from "../../core/primitives/kernel.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

/** Constants rounded to their types. */
export function elementsOf(signature: Signature, constants: ConstantValues) {
  return Object.fromEntries(
    Object.entries(signature.constants).map(([name, { type, components }]) => {
      const values = valuesOf(constants, name);
      const words = newWords<ScalarType>(type, values.length);
      words.set(values);
      return [name, components === undefined ? words[0] : Array.from(words)];
    }),
  );
}
