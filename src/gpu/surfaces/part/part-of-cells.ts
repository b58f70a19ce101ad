/** What only surfaces of some of a grid's cells need. */
export { cellRangeParameters } from "./cell-range.ts";

import { markEdgesShader } from "../isosurface/kernels/mark-edges.ts";

/** Marks what belongs to the cells of the parameters. An edge is one of theirs where both its ends are nodes of theirs. */
export const markPartShader = markEdgesShader(/* wgsl */ `
  let place = origins[b] + at - parameters.first_cell;
  let has_cell = place < parameters.cell_counts;
  above = select(0u, above, all(has_cell));
  cut &= dot(vec3u(has_cell), vec3u(1u, 2u, 4u));
  cut = select(0u, cut, all(place <= parameters.cell_counts));`);
