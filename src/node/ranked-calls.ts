import { resolve } from "node:path";
import type { Value } from "../cluster/communicator/communicator.ts";
import type { Job } from "../cluster/jobs/service.ts";
import { CrinkleError } from "../core/errors.ts";
import { formulaOf } from "../core/hypercube/formula.ts";
import { type IndexMap, invertedMap } from "../core/hypercube/index-map.ts";
import { parseTransform } from "../core/hypercube/parse-transform.ts";
import { type ElementTypeName, printShape } from "../core/hypercube/shape.ts";
import type { JobContext } from "../core/job.ts";
import { reverseFacets } from "../core/reverse-facets.ts";
import { checkBlocks } from "../core/wanted-blocks.ts";
import { readSimulateOptions, readVaryOptions } from "../embed/lattice-options.ts";
import type {
  RankedSimulated,
  RankedSimulateOptions,
  RankedVaried,
  RankedVaryOptions,
} from "../embed/ranked-lattice.ts";
import type {
  ComputeOptions,
  NeighborsOptions,
  RankedNeighbors,
  RankedPieces,
  RankedRaw,
  RankedShape,
  RankedStatistics,
  RankedSurface,
  RankedTransform,
  SurfaceOptions,
  TransformOptions,
} from "../embed/ranks.ts";
import type { DataSource } from "../engine/ranks/data-source.ts";
import type { RunRequest } from "../engine/ranks/lattice-request.ts";
import type { RankEngine } from "../engine/ranks/rank-engine.ts";
import type { RankedTransform as Gathered } from "../engine/ranks/transform-job.ts";
import {
  checkedElements,
  npyHeadAt,
  typeOf,
  writeTransformed,
  writeTransformedArray,
} from "./transform-data.ts";
import { extensionOf, fieldExtensions, fieldWriter } from "./write-file.ts";

/** What every call may say of how it runs. */
interface RunOptions extends Pick<ComputeOptions, "blocks" | "signal" | "onLost" | "onWarning"> {
  /** Hears of the part that is done, from 0 to 1. */
  onProgress?(fraction: number): void;
}

/** Runs a job on all ranks; resolves to rank 0's result, and on the others to undefined. */
type Run = <P extends Value, R>(
  job: Job<P, R, RankEngine>,
  request: P,
  options: RunOptions,
) => Promise<R | undefined>;

/** What ranks on this machine, or those of an MPI job, are asked for. Other ranks than the first get undefined. */
export interface RankedCalls {
  statistics(path: string, text: string, options: ComputeOptions): Promise<RankedStatistics | undefined>;
  writeField(
    path: string,
    text: string,
    out: string,
    options: ComputeOptions,
  ): Promise<RankedStatistics | undefined>;
  surface(
    path: string,
    text: string,
    shape: RankedShape,
    options: SurfaceOptions,
  ): Promise<RankedSurface | undefined>;
  writeSurface(
    path: string,
    text: string,
    shape: RankedShape,
    out: string,
    options: SurfaceOptions & { readonly scalarName?: string },
  ): Promise<RankedPieces | undefined>;
  neighbors(path: string, options: NeighborsOptions): Promise<RankedNeighbors | undefined>;
  transform(
    path: string,
    text: string,
    out: string,
    options: TransformOptions,
  ): Promise<RankedTransform | undefined>;
  simulate(model: string, options: RankedSimulateOptions): Promise<RankedSimulated | undefined>;
  vary(model: string, options: RankedVaryOptions): Promise<RankedVaried | undefined>;
}

/** The index files of fields and of surfaces, which ranks write pieces for. */
export const fieldPieces: readonly string[] = [".pvti", ".pvtr"];
export const surfacePieces: readonly string[] = [".pvtp"];

/** Loads the jobs that ranks are asked for: each command needs one or two of them. */
export const loadJob = {
  statistics: () => import("../engine/ranks/statistics-job.ts"),
  field: () => import("../engine/ranks/field-job.ts"),
  surface: () => import("../engine/ranks/surface-job.ts"),
  surfacePieces: () => import("../engine/ranks/surface-pieces-job.ts"),
  neighbors: () => import("../engine/ranks/neighbors-job.ts"),
  transform: () => import("../engine/ranks/transform-job.ts"),
  transformArray: () => import("../engine/ranks/transform-array-job.ts"),
  lattice: () => import("../engine/ranks/lattice-job.ts"),
  vary: () => import("../engine/ranks/vary-job.ts"),
};

/** The calls of so many ranks. */
export const rankedCalls = (runJob: Run, count: number): RankedCalls => {
  const run: Run = async (job, request, options) => {
    checkBlocks(options.blocks ?? null, count);
    return runJob(job, request, options);
  };
  return callsBy(run);
};

const callsBy = (run: Run): RankedCalls => ({
  async statistics(path, text, options) {
    const { statisticsJob } = await loadJob.statistics();
    return run(statisticsJob, statementOf(path, text, options), options);
  },

  async writeField(path, text, out, options) {
    const extension = extensionOf(out, [...fieldExtensions, ...fieldPieces]);
    const isIndex = fieldPieces.includes(extension);
    const write = isIndex ? undefined : fieldWriter(out);
    const index = isIndex ? resolve(out) : null;
    const holdsOne = extension === ".npy";
    const { fieldJob } = await loadJob.field();
    const found = await run(fieldJob, { ...statementOf(path, text, options), index, holdsOne }, options);
    if (found?.whole) await write?.(found.whole.grid, found.whole.fields);
    return found;
  },

  async surface(path, text, shape, options) {
    const [{ surfaceJob }, { rankedSurfaceRequest }] = await Promise.all([
      loadJob.surface(),
      import("./ranked-surface.ts"),
    ]);
    const request = rankedSurfaceRequest(sourceAt(path, options.raw), text, shape, options);
    const found = await run(surfaceJob, request, options);
    return found && options.reverseFacets ? { ...found, mesh: reverseFacets(found.mesh) } : found;
  },

  async writeSurface(path, text, shape, out, options) {
    extensionOf(out, surfacePieces);
    if (options.form === "distributed") throw notApart();
    const [{ surfacePiecesJob }, { rankedSurfaceRequest }] = await Promise.all([
      loadJob.surfacePieces(),
      import("./ranked-surface.ts"),
    ]);
    const request = rankedSurfaceRequest(sourceAt(path, options.raw), text, shape, options);
    const scalarName = options.scalarName ?? options.colorBy ?? null;
    const { reverseFacets = false } = options;
    const pieces = { ...request, index: resolve(out), scalarName, reverseFacets };
    return run(surfacePiecesJob, pieces, options);
  },

  async neighbors(path, options) {
    const { neighborsJob, neighborsRequest } = await loadJob.neighbors();
    return run(neighborsJob, neighborsRequest(sourceAt(path), options), options);
  },

  async transform(path, text, out, options) {
    const extension = extensionOf(out, [...fieldExtensions, ...fieldPieces]);
    parseTransform(text);
    const isIndex = fieldPieces.includes(extension);
    const head = options.raw ? undefined : await npyHeadAt(path);
    if (head) {
      const { type, ...elements } = checkedElements(head.name, head, extension);
      const { transformArrayJob } = await loadJob.transformArray();
      const { lengths, start: headerBytes } = head;
      const index = isIndex ? resolve(out) : null;
      const request = { path: resolve(path), text, lengths, headerBytes, ...elements, index };
      const made = await run(transformArrayJob, request, options);
      if (!made) return undefined;
      const { map, values, ...report } = made;
      if (!isIndex) await writeTransformedArray(out, head, map, values);
      const fields = [{ name: "values", components: elements.components }];
      return { ...describedMap(map, type), fields, ...report };
    }
    const { transformJob } = await loadJob.transform();
    const found = await run(
      transformJob,
      {
        source: sourceAt(path, options.raw),
        text,
        field: options.field ?? null,
        blocks: options.blocks ?? null,
        index: isIndex ? resolve(out) : null,
        holdsOne: extension === ".npy",
      },
      options,
    );
    return found && reportOf(found, isIndex ? undefined : out);
  },

  async simulate(model, { onLost, out, ...given }) {
    const [{ latticeJob }, { modelNamed }, { columnsOf }] = await Promise.all([
      loadJob.lattice(),
      import("../core/lattice/models.ts"),
      import("../core/lattice/run.ts"),
    ]);
    modelNamed(model);
    const { size, structureEvery = null, ...options } = readSimulateOptions(given);
    if (out !== undefined) extensionOf(out, (await import("./write-sites.ts")).sitePieces(size));
    const { sweeps, onProgress } = options;
    const found = await run(
      latticeJob,
      {
        ...runRequest(model, options),
        size,
        structureEvery,
        index: out === undefined ? null : resolve(out),
      },
      watched(options, onLost, onProgress && ((done) => onProgress(Math.round(done * sweeps)))),
    );
    return found && { ...found, model, series: columnsOf(found.series) };
  },

  async vary(model, { onLost, ...given }) {
    const [{ varyJob }, { modelNamed }] = await Promise.all([
      loadJob.vary(),
      import("../core/lattice/models.ts"),
    ]);
    modelNamed(model);
    const { sizes, parameter, values, ...options } = readVaryOptions(given);
    const found = await run(
      varyJob,
      { ...runRequest(model, options), sizes, parameter, values },
      watched(options, onLost, options.onProgress),
    );
    return found && { ...found, model, parameter };
  },
});

/** What all requests say of a model's runs. */
const runRequest = (
  model: string,
  {
    sweeps,
    seed,
    parameters,
    start = null,
    discard,
  }: Omit<RunRequest, "model" | "start"> & { start?: string | null | undefined },
): RunRequest => ({ model, sweeps, seed, parameters, start, discard });

const watched = (
  { signal }: { readonly signal: AbortSignal | undefined },
  onLost: RunOptions["onLost"],
  onProgress: RunOptions["onProgress"],
): RunOptions => ({
  ...(signal && { signal }),
  ...(onLost && { onLost }),
  ...(onProgress && { onProgress }),
});

/** How a job warns whoever wants to hear it. */
export const warning =
  (hear: ComputeOptions["onWarning"]): JobContext["warn"] =>
  (sentence) => {
    if (sentence !== undefined) hear?.(sentence);
  };

/** Writes what has been gathered, and reports what was done. */
async function reportOf(
  { grid, map, fields, ...report }: Gathered,
  out: string | undefined,
): Promise<RankedTransform> {
  if (out !== undefined) await writeTransformed(out, grid, map, fields);
  return {
    ...describedMap(map, typeOf(fields)),
    fields: fields.map(({ name, components }) => ({ name, components })),
    ...report,
  };
}

function describedMap(map: IndexMap, type: ElementTypeName | undefined) {
  const printed = (lengths: readonly number[]) => printShape(type ? { lengths, type } : { lengths });
  return {
    from: printed(map.from),
    to: printed(map.to),
    formula: formulaOf(map),
    isBijection: invertedMap(map) !== undefined,
  };
}

export const sourceAt = (path: string, raw?: RankedRaw) => {
  const source = { kind: "path", path: resolve(path), raw: raw ? { ...raw } : null } as const;
  return source satisfies DataSource;
};

const statementOf = (path: string, text: string, { statement, raw, blocks }: ComputeOptions) => ({
  source: sourceAt(path, raw),
  text,
  wanted: statement === undefined ? null : [statement],
  blocks: blocks ?? null,
});

const notApart = () =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "The distributed form cannot be written in pieces, because its parts share vertices.",
    remedy: "Ask for the manual form, or for one file.",
  });
