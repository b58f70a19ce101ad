import { CrinkleError } from "../../core/errors.ts";
import type { DataSet } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { allocate } from "../bytes/allocate.ts";
import { Yielder } from "../bytes/yielder.ts";
import { hydrogenWaveFunction, orbitalExtent, type QuantumNumbers } from "./orbital.ts";
import { checkSampleSize } from "./size.ts";

const highestShell = 7;
const shellNames = "spdfghi";

/**
 * A hydrogen orbital (by default 4d with m = 0) on a cube around the nucleus, in Bohr radii:
 * f32 fields “psi” (wave function, a₀^(−3/2)) and “density” (ψ², a₀^(−3)). `points` counts nodes per direction.
 */
export async function hydrogenOrbital(
  points: number,
  job: JobContext,
  numbers: QuantumNumbers = { n: 4, l: 2, m: 0 },
): Promise<DataSet> {
  checkSampleSize(points);
  checkQuantumNumbers(numbers);
  const extent = orbitalExtent(numbers.n);
  const h = (2 * extent) / (points - 1);
  const grid: Grid = {
    kind: "uniform",
    dims: [points, points, points],
    origin: [-extent, -extent, -extent],
    spacing: [h, h, h],
  };
  const wave = hydrogenWaveFunction(numbers);
  const psi = allocate("f32", points ** 3, "the hydrogen sample");
  const density = allocate("f32", points ** 3, "the hydrogen sample");
  const yielder = new Yielder(job, "Generating the hydrogen orbital");
  let at = 0;
  for (let k = 0; k < points; k++) {
    for (let j = 0; j < points; j++) {
      if (yielder.isDue()) await yielder.yield((k + j / points) / points);
      for (let i = 0; i < points; i++, at++) {
        const value = wave(-extent + i * h, -extent + j * h, -extent + k * h);
        psi[at] = value;
        density[at] = value * value;
      }
    }
  }
  const { n, l, m } = numbers;
  const builder = new DataSetBuilder(`Hydrogen ${n}${shellNames[l]}, m = ${m}, ${points}³`, grid);
  builder.add("density", "node", 1, density);
  builder.add("psi", "node", 1, psi);
  builder.note("Lengths are in Bohr radii.");
  return builder.build();
}

function checkQuantumNumbers({ n, l, m }: QuantumNumbers): void {
  const whole = [n, l, m].every(Number.isInteger);
  if (whole && n >= 1 && n <= highestShell && l >= 0 && l < n && Math.abs(m) <= l) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `There is no orbital with n = ${n}, l = ${l}, m = ${m} here.`,
    remedy: `Choose whole numbers with 1 ≤ n ≤ ${highestShell}, 0 ≤ l < n and −l ≤ m ≤ l.`,
  });
}
