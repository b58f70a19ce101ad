import type { VectorsBackend } from "../backend.ts";
import {
  badArgument,
  checkComponents,
  checkIndices,
  checkLength,
  checkNotEmpty,
  checkRange,
} from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import { checkHeld, checkHeldScalar, checkRoom } from "./operands.ts";

type Vectors = Pick<
  Primitives,
  "fromHost" | "toHost" | "front" | "back" | "view" | "counting" | "constant" | "reversed" | "permuted"
>;

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

/** Vectors, and views of them. */
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

  view(vector, from, to) {
    checkHeld(backend, "view", "vector", vector);
    checkRange("view", from, to, vector.length);
    return backend.view(vector, from, to);
  },

  counting(type, length, start = 0, step = 1) {
    checkLength("counting", length);
    return backend.counting(type, length, start, step);
  },

  constant(type, length, value) {
    checkLength("constant", length);
    return backend.constant(type, length, value);
  },

  reversed(vector) {
    checkHeld(backend, "reversed", "vector", vector);
    return backend.reversed(vector);
  },

  permuted(vector, map, checked = false) {
    checkHeld(backend, "permuted", "vector", vector);
    checkHeld(backend, "permuted", "map", map);
    checkIndices("permuted", "map", map);
    return backend.permuted(vector, map, checked);
  },
});
