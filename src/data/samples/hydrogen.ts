import { type Box, boxCount, boxDims, wholeBox } from "../../core/box.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { DataSet } from "../../core/field.ts";
import type { UniformGrid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { allocate } from "../bytes/allocate.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { StoredData, StoredField } from "../stored.ts";
import { hydrogenWaveFunction, orbitalExtent, type QuantumNumbers } from "./orbital.ts";
import { checkSampleSize } from "./size.ts";

const scalar = { centering: "node", components: 1, dtype: "f32" } as const;
const sample = "the hydrogen sample";
const defaultNumbers: QuantumNumbers = { n: 4, l: 2, m: 0 };
const highestShell = 7;
const shellNames = "spdfghi";

/**
 * A hydrogen orbital (by default 4d with m = 0) on a cube around the nucleus, in Bohr radii:
 * f32 fields “psi” (wave function, a₀^(−3/2)) and “density” (ψ², a₀^(−3)). `points` counts nodes per direction.
 */
export async function hydrogenOrbital(
  points: number,
  job: JobContext,
  numbers: QuantumNumbers = defaultNumbers,
): Promise<DataSet> {
  const described = describeOrbital(points, numbers);
  const psi = allocate("f32", points ** 3, sample);
  const density = allocate("f32", points ** 3, sample);
  await visitNodes(described.grid, numbers, wholeBox(described.grid.dims), job, (value, at) => {
    psi[at] = value;
    density[at] = value * value;
  });
  const fields = [
    { ...scalar, name: "density", data: density },
    { ...scalar, name: "psi", data: psi },
  ];
  return { ...described, fields };
}

/** The same orbital, whose fields are generated box by box, each by itself. Throws BadArgument. */
export function storedHydrogenOrbital(points: number, numbers: QuantumNumbers = defaultNumbers): StoredData {
  const described = describeOrbital(points, numbers);
  const field = (name: string, of: (psi: number) => number): StoredField => ({
    ...scalar,
    name,
    async values(box, job) {
      const values = allocate("f32", boxCount(box), sample);
      await visitNodes(described.grid, numbers, box, job, (psi, at) => {
        values[at] = of(psi);
      });
      return values;
    },
  });
  return { ...described, fields: [field("density", (psi) => psi * psi), field("psi", (psi) => psi)] };
}

function describeOrbital(points: number, numbers: QuantumNumbers) {
  checkSampleSize(points);
  checkQuantumNumbers(numbers);
  const extent = orbitalExtent(numbers.n);
  const h = (2 * extent) / (points - 1);
  const grid: UniformGrid = {
    kind: "uniform",
    dims: [points, points, points],
    origin: [-extent, -extent, -extent],
    spacing: [h, h, h],
  };
  const { n, l, m } = numbers;
  return {
    name: `Hydrogen ${n}${shellNames[l]}, m = ${m}, ${points}³`,
    grid,
    notes: ["Lengths are in Bohr radii."],
  };
}

/** Calls `visit` with the wave function at the nodes of a box, and the nodes' numbers among these. */
async function visitNodes(
  { origin: [low], spacing: [h] }: UniformGrid,
  numbers: QuantumNumbers,
  { first, end }: Box,
  job: JobContext,
  visit: (psi: number, at: number) => void,
): Promise<void> {
  const wave = hydrogenWaveFunction(numbers);
  const yielder = new Yielder(job, "Generating the hydrogen orbital");
  let at = 0;
  const [, ny, nz] = boxDims({ first, end });
  for (let k = first[2]; k < end[2]; k++) {
    for (let j = first[1]; j < end[1]; j++) {
      if (yielder.isDue()) await yielder.yield((k - first[2] + (j - first[1]) / ny) / nz);
      for (let i = first[0]; i < end[0]; i++, at++) visit(wave(low + i * h, low + j * h, low + k * h), at);
    }
  }
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
