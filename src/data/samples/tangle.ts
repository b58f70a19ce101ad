import { type Box, boxCount } from "../../core/box.ts";
import type { DataSet } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { allocate } from "../bytes/allocate.ts";
import { Yielder } from "../bytes/yielder.ts";
import { type StoredData, wholeOf } from "../stored.ts";
import { checkSampleSize } from "./size.ts";

const halfWidth = 3;

/**
 * The tangle field, 0.2 (x⁴ − 5x² + y⁴ − 5y² + z⁴ − 5z² + 11.8) + 0.5 on [−3, 3]³, as an f32 field “tangle”
 * (PISTON's and Viskores' test surface is its isovalue 0.5). `points` counts nodes per direction, 2 to 2048.
 */
export async function tangle(points: number, job: JobContext): Promise<DataSet> {
  return wholeOf(storedTangle(points), job);
}

/** The tangle field, generated box by box. Throws BadArgument. */
export function storedTangle(points: number): StoredData {
  checkSampleSize(points);
  const h = (2 * halfWidth) / (points - 1);
  const grid: Grid = {
    kind: "uniform",
    dims: [points, points, points],
    origin: [-halfWidth, -halfWidth, -halfWidth],
    spacing: [h, h, h],
  };
  const part = Float64Array.from({ length: points }, (_, i) => {
    const x = -halfWidth + i * h;
    return x ** 4 - 5 * x ** 2;
  });
  async function valuesOf(box: Box, job: JobContext) {
    const { first, end } = box;
    const values = allocate("f32", boxCount(box), "the tangle sample");
    const yielder = new Yielder(job, "Generating the tangle field");
    let at = 0;
    for (let k = first[2]; k < end[2]; k++) {
      if (yielder.isDue()) await yielder.yield((k - first[2]) / (end[2] - first[2]));
      for (let j = first[1]; j < end[1]; j++) {
        const rest = part[k] + part[j] + 11.8;
        for (let i = first[0]; i < end[0]; i++) values[at++] = 0.2 * (part[i] + rest) + 0.5;
      }
    }
    return values;
  }
  const field = { name: "tangle", centering: "node", components: 1, dtype: "f32", values: valuesOf } as const;
  return { name: `Tangle ${points}³`, grid, fields: [field], notes: [] };
}
