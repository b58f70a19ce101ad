import type { BenchCase } from "../case.ts";
import { composedCases } from "./composed.ts";
import { CopyRates, copyCase } from "./copy.ts";
import { derivedCases } from "./derived.ts";
import { referenceCases } from "./derived-reference.ts";
import { hypercubeCases } from "./hypercube.ts";
import { isosurfaceCases } from "./isosurface.ts";
import { kdTreeCases } from "./kd-tree.ts";
import { latticeCases } from "./lattice.ts";
import { compactCases } from "./primitives-compact.ts";
import { compileCase } from "./primitives-compile.ts";
import { elementwiseCases } from "./primitives-elementwise.ts";
import { scanCases } from "./primitives-scan.ts";
import { searchCases } from "./primitives-search.ts";
import { smallCases } from "./primitives-small.ts";
import { sortCases } from "./primitives-sort.ts";
import { statisticsCases } from "./statistics.ts";
import { surfaceCases } from "./surfaces.ts";
import { topologyCases } from "./topology.ts";
import { readBackCase, uploadCase } from "./transfers.ts";

export { CopyRates, copyCase };

/** Every case, in the order of the report. A new one is a file beside this and a line here. */
export const cases: readonly BenchCase[] = [
  copyCase,
  uploadCase,
  readBackCase,
  ...derivedCases,
  ...referenceCases,
  ...statisticsCases,
  ...isosurfaceCases,
  ...topologyCases,
  ...surfaceCases,
  ...composedCases,
  ...kdTreeCases,
  ...elementwiseCases,
  ...scanCases,
  ...compactCases,
  ...searchCases,
  ...sortCases,
  ...smallCases,
  ...hypercubeCases,
  ...latticeCases,
  compileCase,
];
