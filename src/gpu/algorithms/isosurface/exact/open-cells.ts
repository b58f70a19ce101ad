import { packOpenCells } from "../../../../core/marching-cubes/trilinear/open-cell-table.ts";

export { decideCellsShader } from "./decide-cells.ts";
export { emitInnerShader } from "./emit-inner.ts";

let table: Uint32Array<ArrayBuffer> | undefined;

/** `packOpenCells`, made once. */
export function openCellTable(): Uint32Array<ArrayBuffer> {
  table ??= packOpenCells();
  return table;
}
