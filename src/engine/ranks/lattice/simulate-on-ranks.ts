import { createClusterSimulation } from "../../../algorithms/lattice/cluster-simulation.ts";
import type { LatticePlan } from "../../../core/lattice/model.ts";
import { modelNamed, parametersOf, startNamed } from "../../../core/lattice/models.ts";
import { runModel, stateOf } from "../../../core/lattice/run.ts";
import type { Simulation, SimulationOptions } from "../../../core/lattice/simulation.ts";
import { seedWords } from "../../../core/lattice/vary.ts";
import { createHostPart } from "../../../cpu/lattice/part.ts";
import { createDistributedPrimitives } from "../../../distributed/distributed-primitives.ts";
import { DividedSimulation } from "../../../distributed/lattice/divided-simulation.ts";
import { follow, lead, type SharedSimulation } from "../../../distributed/lattice/shared-simulation.ts";
import { localPrimitives } from "../distributed-surface.ts";
import type { LatticeRequest, RankedLatticeRun } from "../lattice-job.ts";
import { gatherReports } from "../rank-reports.ts";
import type { RecordedRun } from "../recorded-run.ts";
import type { LatticePieces } from "./write-pieces.ts";

/** A simulation of all ranks, with what is said of how they share it. */
interface Opened {
  readonly shared: SharedSimulation;
  /** This rank's part of the lattice, from 0 to 1. */
  readonly share: number;
  readonly notes: readonly string[];
  readonly pieces: LatticePieces;
}

const loadPieces = () => import("./write-pieces.ts");

/** Every rank calls it; rank 0 gets the run. Throws UnknownName, BadArgument, TooLarge, OutOfMemory, Cancelled. */
export async function simulateOnRanks(
  run: RecordedRun,
  request: LatticeRequest,
): Promise<RankedLatticeRun | undefined> {
  const { communicator, job } = run;
  const { sweeps, seed, discard, structureEvery, index } = request;
  const model = modelNamed(request.model);
  const parameters = parametersOf(model, request.parameters, request.size.length);
  const plan = model.on(request.size, parameters);
  const start = request.start ?? model.start;
  startNamed(plan, start);
  const { shared, share, notes, pieces } = await open(run, plan, {
    seed: seedWords(seed),
    start,
    parameters,
  });
  try {
    if (communicator.rank > 0) {
      await follow(communicator, shared);
      if (index !== null) await (await loadPieces()).writeLatticePieces(run, index, plan, pieces);
      await gatherReports(run, { share });
      return undefined;
    }
    const simulation = lead(communicator, plan, shared);
    const done = await runModel(model, plan, simulation, {
      parameters,
      sweeps,
      discard,
      structureEvery: structureEvery ?? undefined,
      signal: job.signal,
      onProgress: (after) => job.progress(after / sweeps, "Simulating"),
    });
    const fields = index === null ? await stateOf(plan, simulation) : {};
    await simulation.end();
    if (index !== null) await (await loadPieces()).writeLatticePieces(run, index, plan, pieces);
    const reports = await gatherReports(run, { share });
    return reports && { ...done, parameters, fields, notes, ...reports };
  } finally {
    shared.dispose();
  }
}

async function open(run: RecordedRun, plan: LatticePlan, options: SimulationOptions): Promise<Opened> {
  const { communicator, engine } = run;
  const { gpu } = await engine.device();
  if (plan.clusters) {
    const { local, dispose } = await localPrimitives(gpu);
    const primitives = createDistributedPrimitives(communicator, local);
    const simulation = await createClusterSimulation(primitives, plan, plan.clusters, options).catch(
      (error) => {
        dispose();
        throw error;
      },
    );
    const { rank, size } = communicator;
    const { piecesOfWhole } = await loadPieces();
    const pieces = piecesOfWhole(plan, size, rank, (name) => simulation.field(name));
    return { shared: sharedOf(simulation, dispose), share: 1 / size, notes: [], pieces };
  }
  const shared = await DividedSimulation.open(communicator, plan, options, async (held) => {
    if (!gpu) return createHostPart(plan, held);
    const { createGpuPart } = await import("../../../gpu/lattice/part.ts");
    return createGpuPart(gpu, plan, held);
  });
  const { own, division } = shared;
  const { layers, ranks } = division;
  const idle = communicator.size - ranks.length;
  const notes =
    idle > 0
      ? [
          `The lattice has too few layers for ${communicator.size} ranks: ${ranks.length} ${ranks.length === 1 ? "has" : "have"} all ${layers}.`,
        ]
      : [];
  const pieces = { layers: ranks, fieldOf: (name: string) => shared.fieldOfLayers(name) };
  return { shared, share: (own.end - own.first) / layers, notes, pieces };
}

/** A simulation whose calls all ranks make alike, and all get the results of. */
const sharedOf = (simulation: Simulation, dispose: () => void): SharedSimulation => ({
  run: (sweeps, parameters) => simulation.run(sweeps, parameters),
  read: () => simulation.read(),
  field: (name) => simulation.field(name),
  draw: async (stroke) => (await simulation.brush())(stroke),
  dispose() {
    simulation.dispose();
    dispose();
  },
});
