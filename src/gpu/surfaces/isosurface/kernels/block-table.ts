import type { Fragment } from "../../../shader/fragment.ts";
import { blockCells, blockLayout } from "../../blocks/block-layout.ts";

const [, rowsPerSlab, slabs] = blockCells;

/** Words of a selected block's table. */
export const tableWords = slabs + slabs * rowsPerSlab;

/** A surface's buffers have a table for every so many vertices: smooth fields cut some twenty edges a block. */
export const verticesPerTable = 8;

/**
 * What a selected block records of its vertices, so that triangles find them: for each slab (points of one z) the number
 * of its first vertex; then for each row (points of one y and z) the cut edges that begin at its points, three bits a
 * point, x fastest, and in the upper eight bits the slab's vertices before it.
 */
export const blockTable: Fragment = {
  name: "block table",
  requires: [blockLayout],
  code: /* wgsl */ `
const slab_count = ${slabs}u;
const slab_rows = ${rowsPerSlab}u;
const row_count = slab_count * slab_rows;
const table_words = ${tableWords}u;
`,
};
