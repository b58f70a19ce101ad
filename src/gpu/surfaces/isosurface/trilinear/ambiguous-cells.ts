export { ambiguousCellTable } from "../../../../core/marching-cubes/trilinear/ambiguous-cell-table.ts";
export { disambiguateCellsShader } from "./disambiguate-cells.ts";
export { emitInnerShader } from "./emit-inner.ts";
