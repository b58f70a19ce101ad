import type { MeshFilter, RecenterFilter } from "./filter.ts";

const group = "Mesh";

export const coordinates: MeshFilter = {
  kind: "mesh",
  name: "coords",
  output: "vec3",
  doc: {
    signature: "coords()",
    summary: "Position of each value in the grid's physical units; x, y and z are its components.",
    example: "magnitude(coords() - {0.5, 0.5, 0.5})",
    group,
  },
};

export const recenter: RecenterFilter = {
  kind: "recenter",
  name: "recenter",
  doc: {
    signature: "recenter(f)",
    summary:
      "Moves values from nodes to cells or back: each result is the mean of the values at the cell's corners, or in the cells around the node.",
    example: "recenter(pressure)",
    group,
  },
};
