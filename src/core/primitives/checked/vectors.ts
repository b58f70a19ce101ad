import type { VectorsBackend } from "../backend.ts";
import { badArgument, checkComponents, checkNotEmpty } from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import { checkHeld, checkHeldScalar, checkRoom } from "./operands.ts";

type Vectors = Pick<Primitives, "fromHost" | "toHost" | "front" | "back">;

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

/** Vectors of the host's data, and what the host reads of vectors. */
export const checkedVectors = (backend: VectorsBackend): Vectors => ({
  fromHost(type, data, components = 1) {
    const what = "fromHost";
    backend.checkAlive(what);
    if (!(data instanceof arrayTypes[type])) {
      throw badArgument(
        `${what} was given no ${arrayTypes[type].name} for ${type}.`,
        "Convert the data first.",
      );
    }
    checkComponents(what, data.length, components);
    checkRoom(backend, what, data.length / components, components);
    return backend.fromHost(type, data, components);
  },

  async toHost(vector) {
    checkHeld(backend, "toHost", "vector", vector);
    return backend.toHost(vector);
  },

  async front(vector) {
    checkHeldScalar(backend, "front", "vector", vector);
    checkNotEmpty("front", vector);
    return backend.element(vector, 0);
  },

  async back(vector) {
    checkHeldScalar(backend, "back", "vector", vector);
    checkNotEmpty("back", vector);
    return backend.element(vector, vector.length - 1);
  },
});
