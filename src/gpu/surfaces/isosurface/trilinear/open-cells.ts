export { openCellTable } from "../../../../core/marching-cubes/trilinear/open-cell-table.ts";
export { decideCellsShader } from "./decide-cells.ts";
export { emitInnerShader } from "./emit-inner.ts";
