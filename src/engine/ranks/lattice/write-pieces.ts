/** The last state of a lattice in pieces, each written by the rank that has it. */
import type { Field } from "../../../core/field.ts";
import type { UniformGrid } from "../../../core/grid.ts";
import type { RankLayers } from "../../../core/lattice/layers.ts";
import type { LatticePlan } from "../../../core/lattice/model.ts";
import { subgrid } from "../../../core/subgrid.ts";
import { sourceOf, writePieces } from "../pieces.ts";
import type { RecordedRun } from "../recorded-run.ts";

type Values = Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

export interface LatticePieces {
  /** The layers across the slowest axis that each rank writes; the others write none. */
  readonly layers: readonly RankLayers[];
  /** A field on this rank's layers and on the first of the next rank. All ranks call it. */
  readonly fieldOf: (name: string) => Promise<Values | undefined>;
}

/** Equal shares of a lattice that every rank has whole. */
export function piecesOfWhole(
  { lengths }: LatticePlan,
  ranks: number,
  rank: number,
  whole: (name: string) => Promise<Values>,
): LatticePieces {
  const most = lengths[lengths.length - 1];
  const count = Math.min(ranks, most);
  const layers = Array.from({ length: count }, (_, k) => ({
    first: Math.floor((k * most) / count),
    end: Math.floor(((k + 1) * most) / count),
  }));
  return {
    layers,
    async fieldOf(name) {
      const values = await whole(name);
      if (rank >= count) return undefined;
      const perLayer = values.length / most;
      const { first, end } = layers[rank];
      return values.slice(first * perLayer, Math.min(most, end + 1) * perLayer) as Values;
    },
  };
}

/**
 * Each rank writes its layers and the one behind them, which is the first of the next piece; all ranks call it. A last layer that is alone
 * lies in the piece before. Throws as `writePieces`.
 */
export async function writeLatticePieces(
  run: RecordedRun,
  index: string,
  { lengths, fields: shown }: LatticePlan,
  { layers, fieldOf }: LatticePieces,
): Promise<void> {
  const { communicator, job } = run;
  const [nx, ny = 1, nz = 1] = lengths;
  const grid: UniformGrid = {
    kind: "uniform",
    dims: [nx, ny, nz],
    origin: [0, 0, 0],
    spacing: [1, 1, 1],
  };
  const slowest = lengths.length - 1;
  const most = lengths[slowest];
  const nodesOf = ({ first, end }: RankLayers) => {
    const last = layers.length === 1 ? most : Math.min(most, end + 1);
    const along = (axis: number, at: number, other: number) => (axis === slowest ? at : other);
    return {
      first: [along(0, first, 0), along(1, first, 0), along(2, first, 0)] as const,
      end: [along(0, last, nx), along(1, last, ny), along(2, last, nz)] as const,
    };
  };
  const isAlone = ({ first }: RankLayers) => layers.length > 1 && first === most - 1;
  const fields: Field[] = [];
  const own = layers[communicator.rank] as RankLayers | undefined;
  for (const [name, { components, dtype }] of Object.entries(shown)) {
    const data = (await fieldOf(name)) ?? new Float32Array(0);
    fields.push({ name, centering: "node", components, dtype: dtype === "int8" ? "i8" : "f32", data });
  }
  const [{ writeVti }, { writeGridIndex }] = await Promise.all([
    import("../../../data/write/vtk-xml.ts"),
    import("../../../data/write/vtk-pieces.ts"),
  ]);
  const name = fields.map((field) => field.name).join(", ");
  const piece =
    own && !isAlone(own)
      ? await writeVti({ name, grid: subgrid(grid, nodesOf(own)), fields, notes: [] }, job)
      : undefined;
  await writePieces(run, index, piece, () =>
    writeGridIndex(
      "pvti",
      grid,
      fields,
      layers.flatMap((each, rank) =>
        isAlone(each) ? [] : [{ source: sourceOf(index, rank), nodes: nodesOf(each) }],
      ),
    ),
  );
}
