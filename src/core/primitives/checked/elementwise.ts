import type { ElementwiseBackend, ForEachArguments, ForEachBackend, VectorsBackend } from "../backend.ts";
import { checkZip } from "../checks.ts";
import type { Inputs, Kernel, KernelArguments, Slots, VectorsOf } from "../kernel.ts";
import type { Primitives } from "../primitives.ts";
import { callOf, checkGiven } from "./given.ts";
import { checkHeld, checkHeldScalar, checkRoom } from "./operands.ts";

type Elementwise = Pick<
  Primitives,
  "fill" | "sequence" | "generate" | "copy" | "reverse" | "transform" | "zip" | "forEach"
>;

/** What is made an element at a time. */
export function checkedElementwise(
  backend: VectorsBackend & ElementwiseBackend & ForEachBackend,
): Elementwise {
  function forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>>;
  async function forEach(count: number, kernel: Kernel, given: ForEachArguments) {
    const what = callOf("forEach", kernel);
    checkGiven(backend, what, count, kernel, given);
    for (const { components } of Object.values(kernel.outputs)) checkRoom(backend, what, count, components);
    return backend.forEach(count, kernel, given);
  }

  return {
    forEach,

    async fill(type, length, value) {
      checkRoom(backend, "fill", length);
      return backend.copy(backend.constant(type, length, value));
    },

    async sequence(type, length, start = 0, step = 1) {
      checkRoom(backend, "sequence", length);
      return backend.copy(backend.counting(type, length, start, step));
    },

    async generate(type, length, f) {
      checkRoom(backend, "generate", length);
      return backend.transform(backend.counting("u32", length, 0, 1), f, type);
    },

    async copy(vector) {
      checkHeld(backend, "copy", "vector", vector);
      checkRoom(backend, "copy", vector.length, vector.components);
      return backend.copy(vector);
    },

    async reverse(vector) {
      checkHeld(backend, "reverse", "vector", vector);
      checkRoom(backend, "reverse", vector.length, vector.components);
      return backend.copy(backend.reversed(vector));
    },

    async transform(vector, f, type) {
      checkHeldScalar(backend, "transform", "vector", vector);
      checkRoom(backend, "transform", vector.length);
      return backend.transform(vector, f, type);
    },

    async zip(vectors, f, type) {
      for (const [k, vector] of vectors.entries()) checkHeld(backend, "zip", `vector ${k}`, vector);
      checkZip("zip", vectors);
      checkRoom(backend, "zip", vectors[0].length);
      return backend.zip(vectors, f, type);
    },
  };
}
