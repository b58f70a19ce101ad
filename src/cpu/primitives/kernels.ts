import { type ConstantValues, type Kernel, type Signature, valuesOf } from "../../core/primitives/kernel.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

interface Given {
  readonly inputs: Readonly<Record<string, HostArray>>;
  readonly constants: ConstantValues;
  readonly at: Uint32Array | undefined;
}

interface Written {
  readonly name: string;
  readonly type: ScalarType;
  readonly components: number;
  readonly words: HostArray;
}

/** What a kernel writes at `count` elements. */
export function kernelWords(count: number, kernel: Kernel, { inputs, constants, at }: Given): Written[] {
  const written = Object.entries(kernel.outputs).map(([name, { type, components = 1 }]) => ({
    name,
    type,
    components,
    words: newWords<ScalarType>(type, count * components),
  }));
  const outputs = Object.fromEntries(written.map(({ name, words }) => [name, words]));
  const run = kernel.js({ inputs, outputs, constants: elementsOf(kernel, constants) });
  if (at) for (let i = 0; i < count; i++) run(at[i], i);
  else for (let i = 0; i < count; i++) run(i, i);
  return written;
}

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
