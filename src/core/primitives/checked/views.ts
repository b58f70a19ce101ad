import type { VectorsBackend } from "../backend.ts";
import { checkIndices, checkLength, checkRange } from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import { checkHeld } from "./operands.ts";

type Views = Pick<Primitives, "view" | "counting" | "constant" | "reversed" | "permuted">;

/** Vectors without memory of their own. */
export const checkedViews = (backend: VectorsBackend): Views => ({
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
