import { countOf } from "../../core/hypercube/shape.ts";
import { ising } from "../../core/lattice/ising/ising.ts";
import { isingCrinkled, isingPlain } from "../../core/lattice/ising-sites/models.ts";
import type { LatticeModel } from "../../core/lattice/model.ts";
import { createHostPart } from "../../cpu/lattice/part.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import { createGpuSimulation } from "../../gpu/lattice/simulation.ts";
import type { BenchCase, BenchContext } from "../case.ts";
import { timeRecorded } from "../measure.ts";

/** Energy a site and magnetization of the infinite square lattice at T = 2.1 (Onsager 1944, Yang 1952). */
const exact = { temperature: 2.1, energy: -1.66208, magnetization: 0.86875 } as const;

interface Case {
  /** The multi-spin coded one where it is left out. */
  readonly model?: LatticeModel;
  readonly lengths: readonly number[];
  readonly temperature: number;
  /** Whether passes are done in two parts (`GpuSimulationOptions`). */
  readonly isDeferred?: boolean;
}

/** Sides of squares below the critical temperature (2.269): powers of two, and others. */
const sides = [256, 512, 1024, 2048, 4096, 8192, 16384, 300, 1000, 2000, 5000, 8000] as const;

/** Lengths, and a temperature below the critical one (4.5115 in three dimensions, 6.68 in four) or at it. */
const lattices: readonly Case[] = [
  ...sides.map((side) => ({ lengths: [side, side], temperature: exact.temperature })),
  { lengths: [8192, 8192], temperature: exact.temperature, isDeferred: false },
  { lengths: [8192, 8192], temperature: 2.269 },
  { lengths: [512, 512, 512], temperature: 4 },
  { lengths: [128, 128, 128, 128], temperature: 6 },
  ...[isingPlain, isingCrinkled].flatMap((model) =>
    [1024, 4096, 8192].map((side) => ({ model, lengths: [side, side], temperature: exact.temperature })),
  ),
];

/** Bytes of a site that a sweep moves: halves are read twice and written once, the plain lattice is read and written for each colour. */
const bytesOfSite: Readonly<Record<string, number>> = {
  [ising.name]: 3 / 8,
  [isingPlain.name]: 4 / 2,
  [isingCrinkled.name]: 3 / 2,
};

const quickSide = { 2: 128, 3: 16, 4: 8 } as const;

async function measure(
  { gpu, isQuick }: BenchContext,
  { model = ising, lengths: usual, temperature, isDeferred = true }: Case,
) {
  const axes = usual.length as 2 | 3 | 4;
  const lengths = isQuick ? usual.map(() => quickSide[axes]) : usual;
  const parameters = { temperature };
  const plan = model.on(lengths, parameters);
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
    return { n: sites, ms, bytes: bytesOfSite[model.name] * sites, verified };
  } finally {
    recorder.dispose();
    simulation.dispose();
  }
}

const superscripts: Readonly<Record<number, string>> = { 2: "²", 3: "³", 4: "⁴" };

/** Sides up to which one thread of a CPU is measured. */
const maxHostSide = 2048;

/** The time of a sweep in one thread, without what other processes take of it: the shortest of as many as take two seconds, ten at least. */
async function measureHost({ isQuick }: BenchContext, usual: number) {
  const side = isQuick ? quickSide[2] : usual;
  const parameters = { temperature: exact.temperature };
  const plan = ising.on([side, side], parameters);
  const seed = [1, 0] as const;
  const all = { first: 0, count: plan.length };
  const part = createHostPart(plan, all);
  const constants = { seed, ...plan.constantsOf(parameters) };
  for (const pass of plan.starts.ordered) part.change(pass, all, { ...constants, sweep: 0 });
  const times: number[] = [];
  const begun = performance.now();
  for (let sweep = 1; times.length < 10 || performance.now() - begun < 2000; sweep++) {
    const start = performance.now();
    for (const pass of plan.sweep) part.change(pass, all, { ...constants, sweep });
    times.push(performance.now() - start);
  }
  const options = { seed, start: "ordered", parameters };
  const same = await createHostSimulation(plan, options).run(times.length, parameters);
  const found = part.sumsOf(all, { ...constants, sweep: times.length });
  const verified = plan.sums.writes.every((name) => found[name] === same.at(-1)?.[name]);
  const ms = Math.min(...times);
  const sites = side ** 2;
  return { n: sites, ms, bytes: bytesOfSite[ising.name] * sites, verified };
}

/** A sweep of the Ising model, below the critical temperature and at it, and by one thread of a CPU. */
export const latticeCases: readonly BenchCase[] = [
  ...gpuCases(),
  ...sides
    .filter((side) => side <= maxHostSide)
    .map((side) => ({
      name: `lattice/cpu/ising/${side}² T=${exact.temperature}`,
      run: (context: BenchContext) => measureHost(context, side),
    })),
];

function gpuCases(): readonly BenchCase[] {
  return lattices.map((given) => {
    const { model = ising, lengths, temperature, isDeferred = true } = given;
    const side = `${lengths[0]}${superscripts[lengths.length]}`;
    return {
      name: `lattice/${model.name}/${side} T=${temperature}${isDeferred ? "" : " in whole passes"}`,
      run: (context) => measure(context, given),
    };
  });
}
