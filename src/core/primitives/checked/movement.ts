import type { MovementBackend, VectorOwner } from "../backend.ts";
import { checkSameElements, checkSameLength, overlappingVectors, unwritableVector } from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import type { Vector } from "../vector.ts";
import { checkHeld, checkHeldIndices, checkRoom } from "./operands.ts";

type Movement = Pick<Primitives, "gather" | "scatter" | "gatherIf" | "scatterIf">;

/** What moves elements through maps. */
export const checkedMovement = (backend: VectorOwner & MovementBackend): Movement => ({
  async gather(map, source, checked = false) {
    checkHeld(backend, "gather", "source", source);
    checkHeldIndices(backend, "gather", "map", map);
    checkRoom(backend, "gather", map.length, source.components);
    return backend.gather(map, source, checked);
  },

  async scatter(source, map, target, checked = false) {
    checkScatter(backend, "scatter", source, map, target);
    return backend.scatter(source, map, target, checked);
  },

  async gatherIf(map, stencil, source, fallback, checked = false) {
    const what = "gatherIf";
    checkHeld(backend, what, "source", source);
    checkHeld(backend, what, "fallback", fallback);
    checkHeldIndices(backend, what, "map", map);
    checkHeldIndices(backend, what, "stencil", stencil);
    checkSameLength(what, { map, stencil, fallback });
    checkSameElements(what, { source, fallback });
    checkRoom(backend, what, map.length, source.components);
    return backend.gatherIf(map, stencil, source, fallback, checked);
  },

  async scatterIf(source, map, stencil, target, checked = false) {
    checkScatter(backend, "scatterIf", source, map, target, stencil);
    return backend.scatter(source, map, target, checked, stencil);
  },
});

function checkScatter(
  backend: VectorOwner & MovementBackend,
  what: string,
  source: Vector,
  map: Vector<"u32">,
  target: Vector,
  stencil?: Vector<"u32">,
): void {
  checkHeld(backend, what, "target", target);
  if (!backend.isWritable(target)) throw unwritableVector(what, "target");
  checkHeld(backend, what, "source", source);
  checkHeldIndices(backend, what, "map", map);
  if (stencil) checkHeldIndices(backend, what, "stencil", stencil);
  checkSameLength(what, stencil ? { source, map, stencil } : { source, map });
  checkSameElements(what, { source, target });
  if (backend.readsMemoryOf(source, target)) throw overlappingVectors(what, "source");
  if (backend.readsMemoryOf(map, target)) throw overlappingVectors(what, "map");
  if (stencil && backend.readsMemoryOf(stencil, target)) throw overlappingVectors(what, "stencil");
}
