import { mostIsovalues } from "../../../../core/layers.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { stateWords } from "../../surface-state.ts";

/** Word of the first end: after it the indices' end, then the next isovalue's two. */
export const endsWord = stateWords + 4;
export const isosurfaceStateWords = endsWord + 2 * mostIsovalues;

/**
 * A surface's state, then which isovalue is being extracted, how many blocks were selected at the most for one, what the
 * exact topology counts, and for each isovalue but the last where its vertices and its indices end.
 */
export const isosurfaceState: Fragment = {
  name: "isosurface state",
  code: /* wgsl */ `
struct IsosurfaceState {
  index_count: atomic<u32>,
  instance_count: u32,
  first_index: u32,
  base_vertex: u32,
  first_instance: u32,
  vertex_demand: atomic<u32>,
  index_demand: atomic<u32>,
  isovalue: u32,
  block_demand: atomic<u32>,
  /** Cells of the present isovalue that leave the topology open, and the vertices inside them. */
  open_demand: atomic<u32>,
  inner_count: atomic<u32>,
  ends: array<u32, ${2 * mostIsovalues}>,
}
`,
};
