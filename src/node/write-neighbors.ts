import { noJob } from "../core/job.ts";
import { isPointSet, type PointColumn } from "../core/point-set.ts";
import { writePairsCsv, writePairsNpy } from "../data/write/pairs.ts";
import { writePointsVtp } from "../data/write/points.ts";
import type { RankedNeighbors } from "../embed/ranks.ts";
import { noTerminal } from "./command-line/command.ts";
import { readAnyFile } from "./read-file.ts";
import { extensionOf, writeChunks } from "./write-file.ts";

export const neighborExtensions = [".csv", ".npy", ".vtp"];

/**
 * A function that writes the neighbours of a file's points to `path`, in the format of its extension: .csv and .npy have a row for
 * each point and neighbour, .vtp has the points with columns of what is around them. Throws Usage.
 */
export function neighborWriter(path: string, file: string): (found: RankedNeighbors) => Promise<void> {
  const extension = extensionOf(path, neighborExtensions);
  return async (found) => {
    if (extension === ".csv") await writeChunks(path, writePairsCsv(found));
    else if (extension === ".npy") await writeChunks(path, writePairsNpy(found));
    else {
      const points = await readAnyFile(file, noTerminal);
      if (!isPointSet(points)) throw new TypeError("Neighbours were found in points.");
      const columns = [...points.columns];
      for (const column of columnsOf(found))
        columns.push({ ...column, name: unusedName(column.name, columns) });
      await writeChunks(path, await writePointsVtp({ ...points, columns }, noJob));
    }
  };
}

/** The name, with a number where the file has a column of it. */
function unusedName(wanted: string, columns: readonly PointColumn[]): string {
  let unused = wanted;
  for (let n = 2; columns.some(({ name }) => name === unused); n++) unused = `${wanted}_${n}`;
  return unused;
}

function columnsOf({ starts, distances, densities }: RankedNeighbors): readonly PointColumn[] {
  const counts = Uint32Array.from(densities, (_, i) => starts[i + 1] - starts[i]);
  const farthest = Float64Array.from(counts, (count, i) =>
    count === 0 ? Number.NaN : distances[starts[i + 1] - 1],
  );
  return [
    { name: "density", components: 1, dtype: "f32", data: densities },
    { name: "neighbors", components: 1, dtype: "u32", data: counts },
    { name: "distance", components: 1, dtype: "f64", data: farthest },
  ];
}
