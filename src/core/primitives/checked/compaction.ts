import type { CompactionBackend, VectorOwner } from "../backend.ts";
import { checkSameLength, checkSelection } from "../checks.ts";
import type { Primitives, Selection } from "../primitives.ts";
import type { Vector } from "../vector.ts";
import { checkHeld, checkHeldIndices, checkHeldSegments } from "./operands.ts";

type Compaction = Pick<Primitives, "copyIf" | "removeIf" | "partition" | "segmentedSplit">;

/** What moves elements by selection and by segment. */
export const checkedCompaction = (backend: VectorOwner & CompactionBackend): Compaction => ({
  async copyIf(vector, selection) {
    checkSelected(backend, "copyIf", vector, selection);
    return backend.compact(vector, selection, "selected");
  },

  async removeIf(vector, selection) {
    checkSelected(backend, "removeIf", vector, selection);
    return backend.compact(vector, selection, "rejected");
  },

  async partition(vector, selection) {
    checkSelected(backend, "partition", vector, selection);
    return backend.partition(vector, selection);
  },

  async segmentedSplit(vector, flags, segments) {
    const what = "segmentedSplit";
    checkHeld(backend, what, "vector", vector);
    checkHeldIndices(backend, what, "flags", flags);
    checkSameLength(what, { vector, flags });
    checkHeldSegments(backend, what, segments, "vector", vector);
    return backend.segmentedSplit(vector, flags, segments);
  },
});

function checkSelected(owner: VectorOwner, what: string, vector: Vector, selection: Selection): void {
  checkHeld(owner, what, "vector", vector);
  if ("stencil" in selection) checkHeld(owner, what, "stencil", selection.stencil);
  checkSelection(what, vector, selection);
}
