import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import { min } from "../../cluster/communicator/operators/elements.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { type DType, dtypes, fitsF32, type TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { DataSet, Field } from "../../core/field.ts";
import {
  type Centering,
  type Grid,
  nodeCoordinates,
  type Triple,
  validateGrid,
  valueDims,
} from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { requireGrid } from "../../data/read.ts";
import type { StoredData, StoredField } from "../../data/stored.ts";
import { extremesOf, levelOf } from "../../gpu/fields/upload.ts";
import { type Block, blockGrid, layersOf } from "../../lang/expression/plan/blocks.ts";
import type { DataSource } from "./data-source.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** What every rank knows of a field. */
interface FieldDescription {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
  readonly dtype: DType;
}

/** The host's planes of a field for another rank. */
const planesTag = 3;
/** So many blocks at a time are in the host's memory where it reads them from a file. */
const blocksInFlight = 4;

/** What every rank knows of data. */
export interface DataDescription {
  readonly name: string;
  /** The whole. */
  readonly grid: Grid;
  readonly fields: readonly FieldDescription[];
}

/** A data set over ranks: each computes a run of the grid's layers of cells along z, and reads some layers beyond it. */
export interface RankedData extends DataDescription {
  /** How the data came to the ranks. */
  readonly origin: "read by each rank" | "sent by the host";
  /** This rank's layers; none where there are more ranks than layers. */
  readonly layers: Pick<Block, "first" | "end">;
  /** Those of all ranks. */
  readonly shares: readonly Pick<Block, "first" | "end">[];
  /** Fields on this rank's layers and so many beyond them, or on its part of other shares. All ranks call it together. */
  block(names: readonly string[], ghosts: number, shares?: RankedData["shares"]): Promise<RankedBlock>;
}

export interface RankedBlock {
  readonly block: Block;
  readonly dataSet: DataSet;
}

/** Layers [first, end) of each rank: equal in number, but for one. */
function sharesOf(layers: number, ranks: number): Pick<Block, "first" | "end">[] {
  const start = (rank: number) => Math.floor((rank * layers) / ranks);
  return Array.from({ length: ranks }, (_, rank) => ({ first: start(rank), end: start(rank + 1) }));
}

/**
 * Opens data on all ranks: each reads its own part where all can, else a rank that can sends the others theirs. Throws
 * BadArgument where no rank can, or where ranks read different data by the same name.
 */
export async function openRankedData(
  communicator: Communicator,
  engine: RankEngine,
  source: DataSource,
  job: JobContext,
  watch: Stopwatch,
): Promise<RankedData> {
  const own = await reading(engine, watch, async () => {
    const data = await engine.read(source, job);
    return data && requireGrid(data);
  });
  const planes = (data: StoredData, name: string, block: Block) =>
    reading(engine, watch, () => planesOf(data, name, block, job));
  const known = await communicator.allgather<Value>(own ? descriptionOf(own) : null);
  const from = known.findIndex((description) => description !== null);
  if (from < 0) throw unreadable(source);
  if (own && known.every((description) => description !== null)) {
    const differs = known.findIndex((each) => JSON.stringify(each) !== JSON.stringify(known[0]));
    if (differs >= 0) throw different(source, differs);
    return overRanks(communicator, describedIn(known[0]), "read by each rank", (name, blocks) =>
      planes(own, name, blocks[communicator.rank]),
    );
  }
  return overRanks(communicator, describedIn(known[from]), "sent by the host", async (name, blocks) => {
    if (!own || communicator.rank !== from) {
      return (await communicator.recv<TypedArray>(from, planesTag)).data;
    }
    const sends: Promise<void>[] = [];
    for (const [rank, block] of blocks.entries()) {
      if (rank === from) continue;
      const send = communicator.send(rank, await planes(own, name, block), planesTag);
      // Its failure is thrown where it is awaited, which reading may keep from happening.
      send.catch(() => {});
      sends.push(send);
      await sends.at(-blocksInFlight);
    }
    await Promise.all(sends);
    return planes(own, name, blocks[from]);
  });
}

/** Counts the time that a rank reads, and what it reads meanwhile. */
async function reading<T>(engine: RankEngine, watch: Stopwatch, work: () => Promise<T>): Promise<T> {
  const before = engine.bytesRead;
  try {
    return await watch.time("read", work);
  } finally {
    watch.bytesRead += engine.bytesRead - before;
  }
}

/** A block's values of a field. A rank without layers may have a plane of nodes above the last cell: of cells it has none. */
function planesOf(
  { grid, fields }: StoredData,
  name: string,
  block: Block,
  job: JobContext,
): Promise<TypedArray> {
  const field = fields.find((each) => each.name === name) as StoredField;
  const [, , planes] = valueDims(blockGrid(grid, block), field.centering);
  const [, , all] = valueDims(grid, field.centering);
  return field.planes(Math.min(block.from, all), Math.min(block.from + planes, all), job);
}

function overRanks(
  communicator: Communicator,
  description: DataDescription,
  origin: RankedData["origin"],
  take: (name: string, blocks: readonly Block[]) => Promise<TypedArray>,
): RankedData {
  const { grid } = description;
  const shares = sharesOf(layersOf(grid), communicator.size);
  return {
    ...description,
    origin,
    layers: shares[communicator.rank],
    shares,
    async block(names, ghosts, parts = shares) {
      const blocks = parts.map((share) => withGhosts(grid, share, ghosts));
      const block = blocks[communicator.rank];
      const fields: Field[] = [];
      for (const field of description.fields) {
        if (!names.includes(field.name)) continue;
        const data = await take(field.name, blocks);
        fields.push({ ...field, data, levels: await levelsOfWhole(communicator, data, field) });
      }
      const { name } = description;
      return { block, dataSet: { name, grid: blockGrid(grid, block), fields, notes: [] } };
    },
  };
}

/** What all ranks take off a field's values where these are stored as f32: what one rank would. */
async function levelsOfWhole(
  communicator: Communicator,
  data: TypedArray,
  { components, dtype }: FieldDescription,
): Promise<readonly number[] | undefined> {
  if (fitsF32(dtype)) return undefined;
  const own = extremesOf(data, components).flatMap(([min, max]) => [min, -max]);
  const all = await communicator.allreduce(Float64Array.from(own), min);
  return Array.from({ length: components }, (_, c) => levelOf([all[2 * c], -all[2 * c + 1]]));
}

/** The same data, of which one layer alone is shared out: to the rank that has it. */
export function inLayer(data: RankedData, layer: number): RankedData {
  const shares = data.shares.map(({ first, end }) =>
    first <= layer && layer < end ? { first: layer, end: layer + 1 } : { first, end: first },
  );
  const rank = data.shares.indexOf(data.layers as RankedData["shares"][number]);
  return {
    ...data,
    layers: shares[rank],
    shares,
    block: (names, ghosts) => data.block(names, ghosts, shares),
  };
}

/** A rank without layers has a plane, so that it has a grid. */
function withGhosts({ dims }: Grid, { first, end }: Pick<Block, "first" | "end">, ghosts: number): Block {
  const top = dims[2] - 1;
  if (first === end) return { first, end, from: Math.min(first, top), to: Math.min(first, top) };
  return { first, end, from: Math.max(0, first - ghosts), to: Math.min(top, end + ghosts) };
}

const descriptionOf = ({ name, grid, fields }: StoredData): Value => ({
  name,
  axes: [0, 1, 2].map((axis) => [...nodeCoordinates(grid, axis)]),
  ...(grid.kind === "uniform" ? { origin: grid.origin, spacing: grid.spacing } : {}),
  fields: fields.map(({ name, centering, components, dtype }) => ({ name, centering, components, dtype })),
});

/** Throws BadMessage for what no rank of this program says. */
function describedIn(value: Value): DataDescription {
  const { name, axes, origin, spacing, fields } = value as Readonly<Record<string, Value>>;
  if (typeof name !== "string" || !Array.isArray(axes) || axes.length !== 3 || !Array.isArray(fields)) {
    throw badMessage("data without a name, axes or fields");
  }
  const [x, y, z] = axes.map((axis) => Float64Array.from(numbersIn(axis)));
  const dims: Triple = [x.length, y.length, z.length];
  const grid: Grid = origin
    ? { kind: "uniform", dims, origin: tripleIn(origin), spacing: tripleIn(spacing) }
    : { kind: "rectilinear", dims, axes: [x, y, z] };
  validateGrid(grid, name);
  return { name, grid, fields: fields.map(fieldIn) };
}

function fieldIn(value: Value): FieldDescription {
  const { name, centering, components, dtype } = value as Readonly<Record<string, Value>>;
  const isKnown =
    typeof name === "string" &&
    (centering === "node" || centering === "cell") &&
    Number.isInteger(components) &&
    Number(components) > 0 &&
    dtypes.includes(dtype as DType);
  if (!isKnown) throw badMessage("a field that is none");
  return { name, centering, components: Number(components), dtype: dtype as DType };
}

function numbersIn(value: Value): number[] {
  if (!Array.isArray(value) || !value.every((x) => typeof x === "number")) throw badMessage("axes of a grid");
  return value as number[];
}

function tripleIn(value: Value): Triple {
  const [x, y, z] = numbersIn(value);
  return [x, y, z];
}

/** Elements of a plane across z. */
export function planeElements(grid: Grid, centering: Centering): number {
  const [nx, ny] = valueDims(grid, centering);
  return nx * ny;
}

const nameOf = (source: DataSource): string =>
  source.kind === "url" ? source.url : source.kind === "path" ? source.path : source.name;

export const unreadable = (source: DataSource) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `No rank can read “${nameOf(source)}”.`,
    remedy: "Open it on the host, or start ranks with --data and its path.",
  });

export const different = (source: DataSource, rank: number) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `Rank ${rank} has other data than rank 0 by the name “${nameOf(source)}”.`,
    remedy: "Give all ranks the same file.",
  });
