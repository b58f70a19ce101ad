import { maxIsovalues } from "../../../../core/layers.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { stateMembers, stateWords } from "../../surface-state.ts";

/** Word of the first end: after it the indices' end, then the next isovalue's two. */
export const endsWord = stateWords + 4;
export const isosurfaceStateWords = endsWord + 2 * maxIsovalues;

/** The members of the state; atomic where workgroups count together. */
export const isosurfaceMembers = (
  counter: "atomic<u32>" | "u32",
): string => /* wgsl */ `${stateMembers(counter)}
  isovalue: u32,
  block_demand: ${counter},
  /** Cells of the present isovalue that leave the topology open, and the vertices inside them. */
  open_demand: ${counter},
  inner_count: ${counter},
  ends: array<u32, ${2 * maxIsovalues}>,`;

/**
 * A surface's state, then which isovalue is being extracted, how many blocks were selected at the most for one, what the
 * trilinear topology counts, and for each isovalue but the last where its vertices and its indices end.
 */
export const isosurfaceState: Fragment = {
  name: "isosurface state",
  code: /* wgsl */ `
struct IsosurfaceState {${isosurfaceMembers("atomic<u32>")}
}
`,
};
