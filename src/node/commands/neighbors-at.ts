/** What `crinkle neighbors --at` does: the points of a file that are nearest to positions. */
import { noJob } from "../../core/job.ts";
import { isPointSet, type PointSet } from "../../core/point-set.ts";
import {
  checkNeighborhood,
  densityOf,
  type Neighborhood,
  neighborsAt,
  placedTree,
} from "../../engine/points/surroundings.ts";
import { usage } from "../command-line/arguments.ts";
import type { Terminal } from "../command-line/command.ts";
import { readAnyFile } from "../read-file.ts";
import { extensionOf, writeChunks } from "../write-file.ts";

const extensions = [".csv", ".npy"] as const;

interface Query {
  readonly file: string;
  /** x, y and z of each. */
  readonly positions: Float64Array;
  readonly hood: Neighborhood;
  /** For a row of each position and neighbour. */
  readonly out: string | undefined;
}

/** Finds and reports them, and writes them if requested. Throws Usage, BadArgument. */
export async function findNeighborsAt({ file, positions, hood, out }: Query, terminal: Terminal) {
  const extension = out === undefined ? undefined : extensionOf(out, extensions);
  checkNeighborhood(hood);
  const points = await readAnyFile(file, terminal, noJob);
  if (!isPointSet(points))
    throw usage(`“${points.name}” is a grid, not a set of points.`, "Take its values by crinkle probe.");
  const start = performance.now();
  const placed = await placedTree(points);
  const places = Array.from({ length: positions.length / 3 }, (_, i) => positions.slice(3 * i, 3 * i + 3));
  const found = places.map((place) => neighborsAt(placed, place, hood));
  const ms = performance.now() - start;
  if (out !== undefined) {
    const { writePairsCsv, writePairsNpy } = await import("../../data/write/pairs.ts");
    const pairs = pairsOf(found);
    await writeChunks(out, extension === ".csv" ? writePairsCsv(pairs) : writePairsNpy(pairs));
  }
  return {
    points: points.positions.length / 3,
    dimensions: points.dimensions,
    neighbors: found.reduce((sum, { ids }) => sum + ids.length, 0),
    results: found.map(({ ids, squares }, i) => ({
      at: [...places[i]],
      neighbors: ids.length,
      distance: squares.length === 0 ? null : Math.sqrt(squares[squares.length - 1]),
      density: densityOf(points, squares, hood),
      ...(out === undefined ? { nearest: [...ids].map((id, k) => nearPoint(points, id, squares[k])) } : {}),
    })),
    device: "cpu",
    ms,
  };
}

function nearPoint({ positions, columns }: PointSet, point: number, square: number) {
  const values = columns.map(({ name, components, data }): [string, unknown] => {
    const all = Array.from({ length: components }, (_, c) => Number(data[point * components + c]));
    return [name, components === 1 ? all[0] : all];
  });
  return {
    point,
    distance: Math.sqrt(square),
    position: [...positions.subarray(3 * point, 3 * point + 3)],
    values: Object.fromEntries(values),
  };
}

function pairsOf(found: readonly { readonly ids: Uint32Array; readonly squares: Float64Array }[]) {
  const starts = new Uint32Array(found.length + 1);
  for (const [i, { ids }] of found.entries()) starts[i + 1] = starts[i] + ids.length;
  return {
    starts,
    ids: Uint32Array.from(found.flatMap(({ ids }) => [...ids])),
    distances: Float64Array.from(
      found.flatMap(({ squares }) => [...squares]),
      Math.sqrt,
    ),
  };
}
