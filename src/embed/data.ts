/** What `import … from "crinkle/data"` gives: readers and writers of the formats in docs/formats.md. */
export { CrinkleError } from "../core/errors.ts";
export type { GridInput, HostFieldInput, TriangleMesh, TypedArray } from "./api.ts";
export type * from "./data-api.ts";
export { readData } from "./read-data.ts";
export { writeGrid, writeMesh } from "./write-data.ts";
