import type { CrinkleError } from "../core/errors.ts";
import { unsupported } from "./failure.ts";

interface GridKind {
  /** Completes “holds …”. */
  readonly what: string;
  readonly remedy: string;
}

const resample =
  "Crinkle reads uniform and rectilinear grids: resample it to an image (in ParaView: Resample To Image) and save that as .vti.";

const curvilinear: GridKind = { what: "a curvilinear (structured) grid", remedy: resample };
const unstructured: GridKind = { what: "an unstructured grid", remedy: resample };
const pieces: GridKind = {
  what: "only the list of a parallel data set's pieces",
  remedy: "Open one of its pieces, or save the whole as one .vti or .vtr file.",
};
const blocks: GridKind = {
  what: "several data sets in blocks",
  remedy:
    "Open one of the .vti or .vtr files it refers to, or resample it to an image and save that as .vti.",
};
const table: GridKind = {
  what: "a table or graph, which has no grid",
  remedy: "Crinkle reads uniform and rectilinear grids.",
};

/** By VTK's name of the data set's kind, upper case and without underscores. */
const kinds: Record<string, GridKind> = {
  STRUCTUREDGRID: curvilinear,
  UNSTRUCTUREDGRID: unstructured,
  UNSTRUCTUREDGRIDBASE: unstructured,
  PIMAGEDATA: pieces,
  PRECTILINEARGRID: pieces,
  PSTRUCTUREDGRID: pieces,
  PUNSTRUCTUREDGRID: pieces,
  PPOLYDATA: pieces,
  VTKMULTIBLOCKDATASET: blocks,
  VTKPARTITIONEDDATASET: blocks,
  VTKPARTITIONEDDATASETCOLLECTION: blocks,
  VTKMULTIPIECEDATASET: blocks,
  VTKHIERARCHICALBOXDATASET: blocks,
  VTKNONOVERLAPPINGAMR: blocks,
  VTKOVERLAPPINGAMR: blocks,
  HYPERTREEGRID: { what: "a hyper tree grid", remedy: resample },
  COLLECTION: {
    what: "only the list of a time series' files",
    remedy: "Open one of the .vti or .vtr files that it names.",
  },
  TABLE: table,
  TREE: table,
  FIELD: table,
  DIRECTEDGRAPH: table,
  UNDIRECTEDGRAPH: table,
};

/** The refusal of a data set whose kind is known but has no grid that Crinkle computes on. */
export function refuseGrid(name: string, kind: string): CrinkleError | undefined {
  const known = kinds[kind.toUpperCase().replaceAll("_", "")];
  return known && unsupported(`“${name}” holds ${known.what}.`, known.remedy);
}
