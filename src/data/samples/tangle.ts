import type { DataSet } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { allocate } from "../bytes/allocate.ts";
import { Yielder } from "../bytes/yielder.ts";
import { checkSampleSize } from "./size.ts";

const halfWidth = 3;

/**
 * The tangle field, 0.2 (x⁴ − 5x² + y⁴ − 5y² + z⁴ − 5z² + 11.8) + 0.5 on [−3, 3]³, as an f32 field “tangle”
 * (PISTON's and Viskores' test surface is its isovalue 0.5). `points` counts nodes per direction, 2 to 2048.
 */
export async function tangle(points: number, job: JobContext): Promise<DataSet> {
  checkSampleSize(points);
  const h = (2 * halfWidth) / (points - 1);
  const grid: Grid = {
    kind: "uniform",
    dims: [points, points, points],
    origin: [-halfWidth, -halfWidth, -halfWidth],
    spacing: [h, h, h],
  };
  const values = allocate("f32", points ** 3, "the tangle sample");
  const yielder = new Yielder(job, "Generating the tangle field");
  const part = Float64Array.from({ length: points }, (_, i) => {
    const x = -halfWidth + i * h;
    return x ** 4 - 5 * x ** 2;
  });
  let at = 0;
  for (let k = 0; k < points; k++) {
    if (yielder.isDue()) await yielder.yield(k / points);
    for (let j = 0; j < points; j++) {
      const rest = part[k] + part[j] + 11.8;
      for (let i = 0; i < points; i++) values[at++] = 0.2 * (part[i] + rest) + 0.5;
    }
  }
  const builder = new DataSetBuilder(`Tangle ${points}³`, grid);
  builder.add("tangle", "node", 1, values);
  return builder.build();
}
