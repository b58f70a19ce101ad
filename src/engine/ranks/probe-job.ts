import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { type CellLocation, interpolate, locateCell } from "../../core/cell-location.ts";
import type { Field } from "../../core/field.ts";
import type { Triple } from "../../core/grid.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import { inLayer, openRankedData, planeElements } from "./ranked-data.ts";
import { computePart, type RankedRun, resolveOnRanks } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";
import { recordedRun } from "./recorded-run.ts";

export interface ProbeRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** The statements of the derived fields among `names`, and of those that these read. */
  readonly text: string;
  /** Derived fields, which `text` tells, and fields of the data. */
  readonly names: readonly string[];
  /** In physical units. */
  readonly position: readonly number[];
  /** Chooses the cell where the position lies on a border of cells. */
  readonly inside: readonly number[];
}

const maxTextLength = 2 ** 20;

/**
 * The values of fields at a position, in the order of the names: each has its components. The rank in whose layers the position lies
 * takes them, from the planes around it alone.
 */
export const probeJob: Job<ProbeRequest, readonly (readonly number[])[] | undefined, RankEngine> = {
  name: "probe",

  parse(value) {
    const { source, text, names, position, inside } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (typeof text !== "string" || text.length > maxTextLength) throw badMessage("a probe of no text");
    if (!Array.isArray(names) || !names.every((name): name is string => typeof name === "string"))
      throw badMessage("a probe of no fields");
    return {
      source: parseDataSource(source),
      text,
      names,
      position: tripleIn(position),
      inside: tripleIn(inside),
    };
  },

  run(call, request) {
    const { source, text, names } = request;
    const title = "Probe on ranks";
    return takeTurn(call, title, async ({ signal }) => {
      // A question under the pointer shows no progress.
      const job = { signal, progress: () => {} };
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const data = await openRankedData(communicator, engine, source, job, watch);
      const place = locateCell(data.grid, tripleIn(request.position), tripleIn(request.inside));
      const parts = await partsAround({ communicator, engine, data, job, watch }, text, names, place.cell[2]);
      const own = parts.flatMap((part) => valuesAt(part, place));
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

/** The fields on the planes around a layer of cells, on its rank; no values on the others. */
async function partsAround(
  run: RankedRun,
  text: string,
  names: readonly string[],
  layer: number,
): Promise<readonly OwnPart[]> {
  const parts = new Map<string, OwnPart>();
  const data = inLayer(run.data, layer);
  if (text !== "") {
    const network = await compileOnDemand(text, data.fields);
    const derived = names.filter((name) => network.outputs.some((output) => output.name === name));
    // Reductions are of the whole.
    const { fields } = await resolveOnRanks(run, network, derived);
    for (const [name, part] of await computePart({ ...run, data }, fields, 0)) parts.set(name, part);
  }
  const loaded = names.filter((name) => !parts.has(name));
  const { block, dataSet } = await data.block(loaded, 0);
  const isOwner = data.layers.first < data.layers.end;
  for (const field of dataSet.fields) {
    const values = isOwner ? field.data : field.data.subarray(0, 0);
    const first = block.from * planeElements(data.grid, field.centering);
    parts.set(field.name, { field: { ...field, data: values as Field["data"] }, first });
  }
  return names.map((name) => {
    const part = parts.get(name);
    if (!part) throw badMessage(`a probe of no field “${name}”`);
    return part;
  });
}

/** Trilinear between nodes, or the cell's value; nothing where the part has none. */
function valuesAt({ field: { data, components, centering }, first }: OwnPart, place: CellLocation): number[] {
  if (data.length === 0) return [];
  const valueAt = (element: number, c: number) => Number(data[(element - first) * components + c]);
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
