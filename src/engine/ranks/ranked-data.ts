import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import { min } from "../../cluster/communicator/operators/elements.ts";
import { type Box, boxCount } from "../../core/box.ts";
import { emptyBox, isEmptyBox, isInBox, putValues } from "../../core/box-values.ts";
import { arrayOf, bytesPerElement, fitsF32, type TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { DataSet, Field } from "../../core/field.ts";
import type { Triple } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { exactInF32, extremesOf, levelOf } from "../../core/levels.ts";
import { subgrid } from "../../core/subgrid.ts";
import { requireGrid } from "../../data/read.ts";
import type { StoredData, StoredField } from "../../data/stored.ts";
import { partsOfBox, valuesAround, valuesBetween } from "./block-values.ts";
import {
  type DataDescription,
  describedIn,
  descriptionOf,
  type FieldDescription,
} from "./data-description.ts";
import { type DataSource, nameOf } from "./data-source.ts";
import { agreedDivision, type Division, keptOf } from "./division.ts";
import { sharesOf } from "./fair-layers.ts";
import { onlyReader } from "./only-reader.ts";
import { parsePaces, speedsFrom } from "./paces.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { DataOrigin } from "./ranked-surface.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** The host's values of a field for another rank. */
const valuesTag = 3;
/** So many parts of blocks, and bytes of one, are in the host's memory at a time where it reads them from a file. */
const partsInFlight = 4;
const maxPartBytes = 2 ** 26;

/** A data set over ranks: each computes a block of the grid's cells, and reads some layers around it. */
export interface RankedData extends DataDescription {
  readonly origin: DataOrigin;
  /** The cells of this rank's block; none where there are more blocks than cells. */
  readonly cells: Box;
  /** Those of all ranks. */
  readonly shares: readonly Box[];
  /** Of all ranks, relative to their mean, where the shares follow them. */
  readonly speeds: readonly number[] | undefined;
  /** The same data as they are divided, where `shares` are parts of these blocks. */
  readonly divided?: RankedData;
  /** Fields on this rank's block and so many layers around it, or on its part of other shares. All ranks call it together. */
  block(names: readonly string[], ghosts: number, shares?: RankedData["shares"]): Promise<RankedBlock>;
}

export interface RankedBlock {
  readonly cells: Box;
  /** What the data set has: of fields in cells, those between the nodes. A rank without cells has a node and a cell all the same. */
  readonly nodes: Box;
  readonly dataSet: DataSet;
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
  division: Division = { blocks: "as before" },
  partBytes = maxPartBytes,
): Promise<RankedData> {
  const own = await reading(engine, watch, async () => {
    const data = await engine.read(source, job);
    return data && requireGrid(data);
  });
  const read = (data: StoredData, { name }: FieldDescription, box: Box) =>
    reading(engine, watch, () => valuesOf(data, name, box, job));
  const partsOf = ({ components, dtype }: FieldDescription, box: Box) => [
    ...partsOfBox(box, Math.floor(partBytes / (components * bytesPerElement(dtype)))),
  ];
  const { size } = communicator;
  const gathered = await communicator.allgather<Value>([
    own ? descriptionOf(own) : null,
    keptOf(engine.division, source, size),
    (engine.paces ?? []).flatMap(({ nodes, ms }) => [nodes, ms]),
  ]);
  const [known, kept, paces] = [0, 1, 2].map((part) =>
    gathered.map((each) => (Array.isArray(each) ? (each[part] ?? null) : null)),
  );
  const divided = async (description: DataDescription) => {
    const agreed = await agreedDivision(division, kept, speedsFrom(paces.map(parsePaces)), description);
    engine.division = { source, ...agreed };
    return { shares: sharesOf(description.grid, agreed), speeds: agreed.fair?.speeds };
  };
  const from = known.findIndex((description) => description !== null);
  if (from < 0) throw unreadable(source);
  const description = describedIn(known[from]);
  job.warn?.(onlyReader(known, description.name));
  if (own && known.every((description) => description !== null)) {
    const differs = known.findIndex((each) => JSON.stringify(each) !== JSON.stringify(known[0]));
    if (differs >= 0) throw different(source, differs);
    return overRanks(
      communicator,
      description,
      await divided(description),
      "read by each rank",
      (field, boxes) => read(own, field, boxes[communicator.rank]),
    );
  }
  return overRanks(
    communicator,
    description,
    await divided(description),
    "sent by the host",
    async (field, boxes) => {
      if (!own || communicator.rank !== from) {
        const box = boxes[communicator.rank];
        return received(communicator, from, field, box, partsOf(field, box));
      }
      const sends: Promise<void>[] = [];
      for (const [rank, box] of boxes.entries()) {
        if (rank === from) continue;
        for (const part of partsOf(field, box)) {
          const send = communicator.send(rank, await read(own, field, part), valuesTag);
          // Its failure is thrown where it is awaited, which reading may keep from happening.
          send.catch(() => {});
          sends.push(send);
          await sends.at(-partsInFlight);
        }
      }
      await Promise.all(sends);
      return read(own, field, boxes[from]);
    },
  );
}

/** Counts the time that a rank reads, and what it reads meanwhile. */
export async function reading<T>(engine: RankEngine, watch: Stopwatch, work: () => Promise<T>): Promise<T> {
  const before = engine.bytesRead;
  try {
    return await watch.time("read", work);
  } finally {
    watch.bytesRead += engine.bytesRead - before;
  }
}

function valuesOf({ fields }: StoredData, name: string, box: Box, job: JobContext): Promise<TypedArray> {
  const field = fields.find((each) => each.name === name) as StoredField;
  return field.values(box, job);
}

/** The values of a box that another rank sends part by part. */
async function received(
  communicator: Communicator,
  from: number,
  { components, dtype }: FieldDescription,
  box: Box,
  parts: readonly Box[],
): Promise<TypedArray> {
  const next = async () => (await communicator.recv<TypedArray>(from, valuesTag)).data;
  if (parts.length === 1) return next();
  const values = new (arrayOf(dtype))(boxCount(box) * components);
  for (const part of parts) putValues(values, box, await next(), part, components);
  return values;
}

function overRanks(
  communicator: Communicator,
  description: DataDescription,
  { shares, speeds }: Pick<RankedData, "shares" | "speeds">,
  origin: DataOrigin,
  take: (field: FieldDescription, boxes: readonly Box[]) => Promise<TypedArray>,
): RankedData {
  const { rank } = communicator;
  const { grid } = description;
  return {
    ...description,
    origin,
    cells: shares[rank],
    shares,
    speeds,
    async block(names, ghosts, parts = shares) {
      const nodes = parts.map((cells) => (isEmptyBox(cells) ? oneNode : valuesAround(grid, cells, ghosts)));
      const read: Field[] = [];
      for (const field of description.fields) {
        if (!names.includes(field.name)) continue;
        const boxes = nodes.map((each) => valuesBetween(each, field.centering));
        read.push({ ...field, data: await take(field, boxes) });
      }
      const { name } = description;
      const fields = await withLevelsOfWhole(communicator, read);
      const own = { name, grid: subgrid(grid, nodes[rank]), fields, notes: [] };
      return { cells: parts[rank], nodes: nodes[rank], dataSet: own };
    },
  };
}

/** What a rank without cells reads, so that it has a grid. */
const oneNode: Box = { first: [0, 0, 0], end: [1, 1, 1] };

/**
 * The fields with what all ranks take off their values where these are stored as f32, and whether f32 can hold them, as one rank
 * would find: of all fields in one exchange.
 */
export async function withLevelsOfWhole(
  communicator: Communicator,
  fields: readonly Field[],
): Promise<readonly Field[]> {
  const wide = fields.filter(({ dtype }) => !fitsF32(dtype));
  if (wide.length === 0) return fields;
  const own = wide.flatMap(({ data, components }) =>
    extremesOf(data, components).flatMap(([low, high]) => [low, -high]),
  );
  const all = await communicator.allreduce(Float64Array.from(own), min);
  let at = 0;
  return fields.map((field) => {
    if (fitsF32(field.dtype)) return field;
    const ranges = Array.from({ length: field.components }, () => {
      at += 2;
      return [all[at - 2], -all[at - 1]] as const;
    });
    const isWide =
      field.dtype === "f64" || ranges.some(([low, high]) => low < -exactInF32 || high > exactInF32);
    return { ...field, levels: ranges.map(levelOf), isWide };
  });
}

/** The same data, of which one cell alone is shared out: to the rank that has it. */
export function inCell(data: RankedData, cell: Triple): RankedData {
  const [x, y, z] = cell;
  const one: Box = { first: cell, end: [x + 1, y + 1, z + 1] };
  const only = (cells: Box) => (isInBox(cells, cell) ? one : emptyBox);
  const shares = data.shares.map(only);
  return {
    ...data,
    divided: data.divided ?? data,
    cells: only(data.cells),
    shares,
    block: (names, ghosts) => data.block(names, ghosts, shares),
  };
}

export const unreadable = (source: DataSource) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `No rank can read “${nameOf(source)}”.`,
    remedy: "Open it on the host, or start ranks with --data and its path.",
  });

export const different = (source: DataSource, rank: number) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `Rank ${rank} and rank 0 have different data named “${nameOf(source)}”.`,
    remedy: "Give all ranks the same file.",
  });
