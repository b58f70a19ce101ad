import type { BenchCase } from "../case.ts";
import { copyCase } from "./copy.ts";
import { derivedCases } from "./derived.ts";
import { isosurfaceCase } from "./isosurface.ts";
import { scanCases } from "./primitives-scan.ts";
import { statisticsCase } from "./statistics.ts";
import { readBackCase, uploadCase } from "./transfers.ts";

export { copyCase };

/** Every case, in the order of the report. A new one is a file beside this and a line here. */
export const cases: readonly BenchCase[] = [
  copyCase,
  uploadCase,
  readBackCase,
  ...derivedCases,
  statisticsCase,
  isosurfaceCase,
  ...scanCases,
];
