import { countOf } from "../../core/hypercube/shape.ts";
import { ising } from "../../core/lattice/ising/ising.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import { createGpuSimulation } from "../../gpu/lattice/simulation.ts";
import type { BenchCase, BenchContext } from "../case.ts";
import { timeRecorded } from "../measure.ts";

/** Energy a site and magnetization of the infinite square lattice at T = 2.1 (Onsager 1944, Yang 1952). */
const exact = { temperature: 2.1, energy: -1.66208, magnetization: 0.86875 } as const;

interface Case {
  readonly lengths: readonly number[];
  readonly temperature: number;
  /** Whether passes are done in two parts (`GpuSimulationOptions`). */
  readonly isDeferred?: boolean;
}

/** Lengths, and a temperature below the critical one (2.269 in two dimensions, 4.5115 in three, 6.68 in four). */
const lattices: readonly Case[] = [
  { lengths: [256, 256], temperature: exact.temperature },
  { lengths: [1024, 1024], temperature: exact.temperature },
  { lengths: [4096, 4096], temperature: exact.temperature },
  { lengths: [8192, 8192], temperature: exact.temperature },
  { lengths: [16384, 16384], temperature: exact.temperature },
  { lengths: [8192, 8192], temperature: exact.temperature, isDeferred: false },
  { lengths: [8192, 8192], temperature: 2.269 },
  { lengths: [8000, 8000], temperature: exact.temperature },
  { lengths: [512, 512, 512], temperature: 4 },
  { lengths: [128, 128, 128, 128], temperature: 6 },
];

const quickSide = { 2: 128, 3: 16, 4: 8 } as const;

async function measure(
  { gpu, isQuick }: BenchContext,
  { lengths: usual, temperature, isDeferred = true }: Case,
) {
  const axes = usual.length as 2 | 3 | 4;
  const lengths = isQuick ? usual.map(() => quickSide[axes]) : usual;
  const parameters = { temperature };
  const plan = ising.on(lengths, parameters);
  const options = { seed: [1, 0], start: "ordered", parameters } as const;
  const simulation = await createGpuSimulation(gpu, plan, options, { isDeferred });
  const recorder = new Recorder(gpu, "bench: lattice");
  try {
    const [found] = await simulation.run(1, parameters);
    const [expected] = await createHostSimulation(plan, options).run(1, parameters);
    let verified = plan.sums.writes.every((name) => found[name] === expected[name]);
    const ms = await timeRecorded(gpu, recorder, () => simulation.record(recorder, parameters));
    const { energy, magnetization } = plan.quantitiesOf((await simulation.run(1, parameters))[0]);
    verified &&= energy > -axes && energy < -axes / 4;
    if (axes === 2 && temperature === exact.temperature && !isQuick) {
      const tolerance = 10 / Math.sqrt(countOf(lengths));
      verified &&= Math.abs(energy - exact.energy) < tolerance;
      verified &&= Math.abs(magnetization - exact.magnetization) < tolerance;
    }
    const sites = countOf(lengths);
    // Each half is read twice and written once, eight spins a byte.
    return { n: sites, ms, bytes: (3 * sites) / 8, verified };
  } finally {
    recorder.dispose();
    simulation.dispose();
  }
}

const superscripts: Readonly<Record<number, string>> = { 2: "²", 3: "³", 4: "⁴" };

/** A sweep of the Ising model, below the critical temperature and at it. */
export const latticeCases: readonly BenchCase[] = lattices.map((given) => {
  const { lengths, temperature, isDeferred = true } = given;
  const side = `${lengths[0]}${superscripts[lengths.length]}`;
  return {
    name: `lattice/ising/${side} T=${temperature}${isDeferred ? "" : " in whole passes"}`,
    run: (context) => measure(context, given),
  };
});
