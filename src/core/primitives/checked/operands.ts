import type { VectorOwner } from "../backend.ts";
import {
  checkIndices,
  checkLength,
  checkScalar,
  checkSegments,
  foreignVector,
  releasedVector,
} from "../checks.ts";
import type { Segments } from "../primitives.ts";
import type { Vector } from "../vector.ts";

/** Throws where the owner cannot read the vector, which a message calls `name`. `what` is the method. */
export function checkHeld(owner: VectorOwner, what: string, name: string, vector: Vector): void {
  owner.checkAlive(what);
  const state = owner.stateOf(vector);
  if (state === "foreign") throw foreignVector(what, name);
  if (state === "released") throw releasedVector(what, name);
}

/** … or its elements are of several words. */
export function checkHeldScalar(owner: VectorOwner, what: string, name: string, vector: Vector): void {
  checkHeld(owner, what, name, vector);
  checkScalar(what, name, vector);
}

/** … or it is no map, stencil, flags or counts. */
export function checkHeldIndices(owner: VectorOwner, what: string, name: string, vector: Vector): void {
  checkHeld(owner, what, name, vector);
  checkIndices(what, name, vector);
}

/** Throws where segments do not fit a vector, which a message calls `name`. */
export function checkHeldSegments(
  owner: VectorOwner,
  what: string,
  segments: Segments,
  name: string,
  vector: Vector,
): void {
  if ("heads" in segments) checkHeld(owner, what, "heads", segments.heads);
  else checkHeld(owner, what, "keys", segments.keys);
  checkSegments(what, segments, name, vector);
}

/** Throws where the owner makes no vectors with memory of such a length. */
export function checkRoom(owner: VectorOwner, what: string, length: number, components = 1): void {
  owner.checkAlive(what);
  checkLength(what, length, Math.floor(owner.maxWords / components));
}
