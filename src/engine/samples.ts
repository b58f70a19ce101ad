import { CrinkleError } from "../core/errors.ts";
import type { DataSet } from "../core/field.ts";
import type { JobContext } from "../core/job.ts";
import { readDataSet } from "../data/read.ts";
import { defaultPoints } from "../data/samples/size.ts";
import { bytesSource } from "../data/source.ts";
import type { DataSetSummary, SampleName } from "./api.ts";

type Suggestion = NonNullable<DataSetSummary["suggestion"]>;

const suggestions: Record<SampleName, Suggestion> = {
  "taylor-green": {
    expression: "q = q_criterion(velocity)",
    surface: { field: "q", isovalue: 2, colorBy: "magnitude(velocity)" },
  },
  tangle: {
    expression: "slope = magnitude(gradient(tangle))",
    surface: { field: "tangle", isovalue: 0.5, colorBy: "slope" },
  },
  hydrogen: {
    expression: "",
    surface: { field: "density", isovalue: 3e-6, colorBy: "psi" },
  },
};

/** The one sample that is not generated. */
export const taylorGreenFile = "taylor-green-64.vti";

export interface OpenedSample {
  readonly dataSet: DataSet;
  readonly suggestion: Suggestion;
}

/** Gets the bytes of a sample's file by its name. */
export type FetchSample = (file: string, job: JobContext) => Promise<Uint8Array>;

/** Reads or generates a sample. `size` is the points per direction of generated ones. */
export async function openSample(
  sample: SampleName,
  size: number | undefined,
  job: JobContext,
): Promise<OpenedSample> {
  return { dataSet: await readSample(sample, size, job, fetchSample), suggestion: suggestions[sample] };
}

/** A sample with all values; the bytes of those that are files come from `fetchFile`. */
export async function readSample(
  sample: SampleName,
  size = defaultPoints,
  job: JobContext,
  fetchFile: FetchSample,
): Promise<DataSet> {
  switch (sample) {
    case "tangle": {
      const { tangle } = await import("../data/samples/tangle.ts");
      return tangle(size, job);
    }
    case "hydrogen": {
      const { hydrogenOrbital } = await import("../data/samples/hydrogen.ts");
      return hydrogenOrbital(size, job);
    }
    case "taylor-green": {
      const bytes = await fetchFile(taylorGreenFile, job);
      return {
        ...(await readDataSet(bytesSource(bytes, taylorGreenFile), job)),
        name: "Taylor–Green vortex",
      };
    }
  }
}

async function fetchSample(file: string, job: JobContext): Promise<Uint8Array> {
  const url = new URL(`samples/${file}`, sampleBase());
  let reason: unknown;
  try {
    const response = await fetch(url, { signal: job.signal });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    reason = `the server answered ${response.status}`;
  } catch (cause) {
    reason = cause instanceof Error ? cause.message : cause;
  }
  throw new CrinkleError({
    tag: "BadFile",
    problem: `The sample ${file} could not be fetched: ${reason}.`,
    remedy: "Check the connection, or open a file of your own.",
  });
}

/** The page's own folder: the worker's script lies in its `assets`, or in the sources while developing. */
function sampleBase(): string {
  const here = self.location.href;
  return here.includes("/assets/") ? new URL("../", here).href : new URL("/", here).href;
}
