import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { numberInBox, wholeBox } from "../../core/box.ts";
import { placeInBox } from "../../core/box-values.ts";
import { type CellLocation, interpolate, locateCell } from "../../core/cell-location.ts";
import { type Grid, type Triple, valueDims } from "../../core/grid.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import { type NamedFields, namedParts, parseNamed } from "./named-parts.ts";
import type { RankEngine } from "./rank-engine.ts";
import { inCell, openRankedData } from "./ranked-data.ts";
import type { OwnPart } from "./ranked-values.ts";
import { recordedRun } from "./recorded-run.ts";

export interface ProbeRequest extends NamedFields {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** In physical units. */
  readonly position: readonly number[];
  /** Chooses the cell where the position lies on a border of cells. */
  readonly inside: readonly number[];
}

/**
 * The values of fields at a position, in the order of the names: each has its components. The rank in whose block the position lies
 * takes them, from the values around it alone.
 */
export const probeJob: Job<ProbeRequest, readonly (readonly number[])[] | undefined, RankEngine> = {
  name: "probe",

  parse(value) {
    const { source, position, inside } = (value ?? {}) as Readonly<Record<string, Value>>;
    const where = { position: tripleIn(position), inside: tripleIn(inside) };
    return { source: parseDataSource(source), ...parseNamed(value), ...where };
  },

  run(call, request) {
    const { source } = request;
    const title = "Probe on ranks";
    return takeTurn(call, title, async ({ signal }) => {
      // A question under the pointer shows no progress.
      const job = { signal, progress: () => {} };
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const data = await openRankedData(communicator, engine, source, job, watch);
      const place = locateCell(data.grid, tripleIn(request.position), tripleIn(request.inside));
      const run = { communicator, engine, data, job, watch };
      const parts = await namedParts(run, inCell(data, place.cell), request);
      const own = parts.flatMap((part) => valuesAt(data.grid, part, place));
      const all = await communicator.gather(Float64Array.from(own));
      if (!all) return undefined;
      const words = all.find(({ length }) => length > 0) ?? new Float64Array(0);
      let at = 0;
      return parts.map(({ field: { components } }) => {
        at += components;
        return [...words.subarray(at - components, at)];
      });
    });
  },
};

/** Trilinear between nodes, or the cell's value; nothing where the part has none. */
function valuesAt(
  grid: Grid,
  { field: { data, components, centering }, box }: OwnPart,
  place: CellLocation,
): number[] {
  if (data.length === 0) return [];
  const whole = wholeBox(valueDims(grid, centering));
  const valueAt = (element: number, c: number) =>
    Number(data[numberInBox(box, placeInBox(whole, element)) * components + c]);
  return Array.from({ length: components }, (_, c) =>
    centering === "cell"
      ? valueAt(place.cellIndex, c)
      : interpolate(place, (corner) => valueAt(place.nodes[corner], c)),
  );
}

function tripleIn(value: Value | undefined): Triple {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
    throw badMessage("a probe at no position");
  const [x, y, z] = value as number[];
  return [x, y, z];
}
