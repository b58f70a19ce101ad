import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { Box } from "../../core/box.ts";
import { arrayOf, type DType, dtypes, isLittleEndian, type TypedArray } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { gridOfResult } from "../../core/hypercube/result-grid.ts";
import { checkLengths, countOf } from "../../core/hypercube/shape.ts";
import { countOfPart, type Part } from "../../core/hypercube/travel.ts";
import { requireGrid } from "../../data/read.ts";
import { cutAxis, evenParts, rearrangedOnRanks } from "../../distributed/rearranged.ts";
import { gridOfArray } from "../grid-of-array.ts";
import { fieldIndexFormats, writeFieldPieces } from "./field-pieces.ts";
import { gatherRearranged } from "./gather-rearranged.ts";
import { takeTurn } from "./job-turn.ts";
import { parseIndex } from "./pieces.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports } from "./rank-reports.ts";
import { reading, unreadable } from "./ranked-data.ts";
import { recordedRun } from "./recorded-run.ts";
import type { RankedStatistics } from "./statistics-job.ts";
import { dividedResult, valuesOfShare } from "./transform-job.ts";

/** An array of any number of axes in a file: bare numbers behind a header. */
export interface ArrayRequest {
  readonly [name: string]: Value;
  readonly path: string;
  /** A layout transform, as `parseTransform` reads it. */
  readonly text: string;
  /** The fastest first. */
  readonly lengths: readonly number[];
  readonly headerBytes: number;
  /** An element is so many numbers of a type, in this machine's order of bytes or moved as they are. */
  readonly dtype: DType;
  readonly components: number;
  /** The path of the index (.pvti or .pvtr) of pieces that the ranks write; null to gather the result. */
  readonly index: string | null;
}

/** What ranks have made of an array by a transform. */
export interface RankedArray extends Pick<RankedStatistics, "origin" | "ranks" | "trace"> {
  readonly map: IndexMap;
  /** None where ranks have written it. */
  readonly values: TypedArray;
}

const maxTextLength = 2 ** 16;

/** Rearranges an array by a layout transform: ranks that can read the file read a part each, and send what changes ranks alone. */
export const transformArrayJob: Job<ArrayRequest, RankedArray | undefined, RankEngine> = {
  name: "transform an array",

  parse(value) {
    const given = (value ?? {}) as Readonly<Record<string, Value>>;
    const { path, text, lengths, headerBytes, dtype, components, index } = given;
    if (typeof text !== "string" || text.length > maxTextLength)
      throw badMessage("a transform without a text");
    const isCount = (count: Value | undefined) => Number.isSafeInteger(count) && Number(count) >= 0;
    const isKnown =
      typeof path === "string" &&
      Array.isArray(lengths) &&
      lengths.every((length) => typeof length === "number") &&
      isCount(headerBytes) &&
      dtypes.includes(dtype as DType) &&
      (components === 1 || components === 2);
    if (!isKnown) throw badMessage("a transform of no array");
    checkLengths(lengths as number[]);
    if (index !== null) parseIndex(index, fieldIndexFormats);
    // Each of its members was checked above.
    return given as unknown as ArrayRequest;
  },

  run(call, { path, text, lengths, headerBytes, dtype, components, index }) {
    const title = "Transform on ranks";
    return takeTurn(call, title, async (job) => {
      const run = recordedRun(call, job, title);
      const { communicator, engine, watch } = run;
      const { rank, size } = communicator;
      const map = mapOf(lengths, parseTransform(text));
      // Faster axes are one of the file's, and slower ones another.
      const cut = cutAxis(lengths, size);
      const dims = [countOf(lengths.slice(0, cut)), lengths[cut], countOf(lengths.slice(cut + 1))] as const;
      const raw = {
        ...{ dims, dtype, components, headerBytes },
        byteOrder: isLittleEndian ? ("little" as const) : ("big" as const),
        origin: [0, 0, 0] as const,
        spacing: [1, 1, 1] as const,
      };
      const source = { kind: "path", path, raw } as const;
      const own = await reading(engine, watch, async () => {
        const data = await engine.read(source, job);
        return data && requireGrid(data);
      });
      const can = await communicator.allgather<Value>(own !== undefined);
      const readers = can.flatMap((each, from) => (each === true ? [from] : []));
      if (readers.length === 0) throw unreadable(source);
      const sources = partsOf(lengths, size, readers, cut);
      const part = sources[rank];
      const values =
        own && countOfPart(part) > 0
          ? await reading(engine, watch, () => own.fields[0].values(boxOf(dims, part, cut), job))
          : new (arrayOf(dtype))(0);
      const made =
        index === null
          ? await gatherRearranged(run, map, sources, values, components)
          : await writtenInPieces(index, values);
      const reports = await gatherReports(run, {
        block: part.first.map((first, axis) => [first, part.end[axis]] as const),
        share: countOfPart(part) / countOf(lengths),
        bytesRead: watch.bytesRead,
        ...watch.device.cost,
      });
      const origin = readers.length === size ? ("read by each rank" as const) : ("sent by the host" as const);
      return reports && { map, values: made, origin, ...reports };

      async function writtenInPieces(path: string, values: TypedArray): Promise<TypedArray> {
        const result = dividedResult(run, gridOfResult(gridOfArray(lengths), "node", map));
        const targets = result.shares.map((cells) =>
          boxOfAxes(valuesOfShare(result.grid, cells, "node"), map),
        );
        const data = await rearrangedOnRanks(communicator, map, { sources, targets }, values, components);
        const field = {
          name: "values",
          centering: "node",
          components,
          dtype,
          data: data as Field["data"],
        } as const;
        await writeFieldPieces(run, path, result, [field]);
        return new (arrayOf(dtype))(0);
      }
    });
  },
};

/** The parts of ranks that can read; the others have none. */
function partsOf(lengths: readonly number[], size: number, readers: readonly number[], cut: number): Part[] {
  const parts = evenParts(lengths, readers.length, cut);
  const nothing: Part = { first: lengths.map(() => 0), end: lengths.map(() => 0) };
  return Array.from({ length: size }, (_, rank) => {
    const place = readers.indexOf(rank);
    return place < 0 ? nothing : parts[place];
  });
}

/** A part that is cut across one axis, in the array as it is read. */
const boxOf = ([x, , z]: readonly [number, number, number], { first, end }: Part, cut: number): Box => ({
  first: [0, first[cut], 0],
  end: [x, end[cut], z],
});

/** A box of a grid as a part of a result that may have fewer axes. */
const boxOfAxes = ({ first, end }: Part, { to }: IndexMap): Part => ({
  first: first.slice(0, to.length),
  end: end.slice(0, to.length),
});
