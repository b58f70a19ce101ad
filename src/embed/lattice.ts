/** What `import { lattice } from "crinkle"` gives. */
import { cancelled } from "../core/errors.ts";
import { countOf } from "../core/hypercube/shape.ts";
import { yieldToEventLoop } from "../core/job.ts";
import type { Clusters, LatticePlan, Numbers } from "../core/lattice/model.ts";
import { latticeModels, modelNamed, parametersOf, startNamed } from "../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../core/lattice/simulation.ts";
import { measuresOf } from "../core/lattice/statistics.ts";
import { StructureSamples } from "../core/lattice/structure-samples.ts";
import type { Devices } from "./devices.ts";
import type { Lattice } from "./lattice-api.ts";
import { readDevice } from "./read-options.ts";
import { badArgument, requireObject, shown } from "./refusal.ts";

/** Sweeps that are run at a time take about so long: between them a run can be cancelled. */
const batchMs = 100;
const maxBatch = 1024;

/** The interface on the devices of a host program. */
export function latticeInterface(devices: Devices): Lattice {
  return {
    models: latticeModels.map(({ name, summary, parameters, measures }) => ({
      name,
      summary,
      parameters,
      measures: Object.fromEntries(
        Object.entries(measures).map(([measure, { meaning }]) => [measure, meaning]),
      ),
    })),
    async simulate(name, given) {
      const model = modelNamed(name);
      const options = readSimulateOptions(given);
      const { size, sweeps, seed, discard, structureEvery } = options;
      const parameters = parametersOf(model, options.parameters);
      const plan = model.on(size, parameters);
      const start = options.start ?? model.start;
      startNamed(plan, start);
      const { gpu, note } = await devices.open(options.device);
      const began = performance.now();
      const words = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] as const;
      const simulation = await open(gpu, plan, { seed: words, start, parameters });
      try {
        const run = (count: number) => simulation.run(count, parameters);
        const [shown, { components: shownComponents }] = Object.entries(plan.fields)[0];
        const samples = structureEvery ? new StructureSamples(size, structureEvery, discard) : undefined;
        const sums = await inBatches(run, sweeps, {
          ...options,
          pauseEvery: structureEvery,
          onPause: async (sweep) => samples?.add(sweep, await simulation.field(shown), shownComponents),
        });
        const series = sums.map(plan.quantitiesOf);
        const fields = Object.fromEntries(
          await Promise.all(
            Object.entries(plan.fields).map(
              async ([field, { components }]) =>
                [field, { components, values: await simulation.field(field) }] as const,
            ),
          ),
        );
        return {
          model: model.name,
          parameters,
          measures: measuresOf(model, series.slice(discard), { sites: countOf(size), parameters }),
          series: Object.fromEntries(
            Object.keys(series[0]).map((key) => [key, Float64Array.from(series, (of) => of[key])]),
          ),
          structure: samples?.measured(),
          fields,
          report: {
            device: gpu ? "gpu" : "cpu",
            description: gpu?.adapter.description ?? "CPU",
            ms: performance.now() - began,
          },
          notes: note ? [note] : [],
        };
      } finally {
        simulation.dispose();
      }
    },
  };
}

type Gpu = Awaited<ReturnType<Devices["open"]>>["gpu"];

async function open(gpu: Gpu, plan: LatticePlan, options: SimulationOptions): Promise<Simulation> {
  if (plan.clusters) return openClusters(gpu, plan, plan.clusters, options);
  if (gpu) {
    const { createGpuSimulation } = await import("../gpu/lattice/simulation.ts");
    return createGpuSimulation(gpu, plan, options);
  }
  const { createHostSimulation } = await import("../cpu/lattice/simulation.ts");
  return createHostSimulation(plan, options);
}

async function openClusters(
  gpu: Gpu,
  plan: LatticePlan,
  clusters: Clusters,
  options: SimulationOptions,
): Promise<Simulation> {
  const { createClusterSimulation } = await import("../algorithms/lattice/cluster-simulation.ts");
  if (!gpu) {
    const { createCpuPrimitives } = await import("../cpu/primitives/cpu-primitives.ts");
    return createClusterSimulation(createCpuPrimitives(), plan, clusters, options);
  }
  const { createGpuPrimitives } = await import("../gpu/primitives/gpu-primitives/gpu-primitives.ts");
  const primitives = await createGpuPrimitives(gpu);
  const simulation = await createClusterSimulation(primitives, plan, clusters, options).catch((error) => {
    primitives.dispose();
    throw error;
  });
  return {
    ...simulation,
    dispose() {
      simulation.dispose();
      primitives.dispose();
    },
  };
}

interface BatchOptions {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((sweeps: number) => void) | undefined;
  /** Sweeps after each of which `onPause` is awaited (never). */
  readonly pauseEvery: number | undefined;
  readonly onPause: (sweep: number) => Promise<void>;
}

async function inBatches(
  run: (sweeps: number) => Promise<readonly Numbers[]>,
  sweeps: number,
  { signal, onProgress, pauseEvery = sweeps + 1, onPause }: BatchOptions,
): Promise<readonly Numbers[]> {
  const taken: Numbers[] = [];
  for (let batch = 1; taken.length < sweeps; ) {
    if (signal?.aborted) throw cancelled("The simulation");
    const start = performance.now();
    const untilPause = pauseEvery - (taken.length % pauseEvery);
    taken.push(...(await run(Math.min(batch, untilPause, sweeps - taken.length))));
    if (taken.length % pauseEvery === 0) await onPause(taken.length);
    const ms = performance.now() - start;
    if (ms < batchMs) batch = Math.min(maxBatch, 2 * batch);
    else if (ms > 3 * batchMs) batch = Math.max(1, batch >> 1);
    onProgress?.(taken.length);
    await yieldToEventLoop();
  }
  return taken;
}

const optionNames = [
  "size",
  "sweeps",
  "seed",
  "parameters",
  "start",
  "discard",
  "structureEvery",
  "device",
  "onProgress",
  "signal",
];

/** Throws BadArgument. */
function readSimulateOptions(given: unknown) {
  const what = "The options of lattice.simulate";
  const options = requireObject(given, what, optionNames);
  const { size, parameters = {}, start, device = "auto", onProgress, signal } = options;
  const whole = (name: string, value: unknown, min: number, max: number): number => {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    throw badArgument(`The option ${name} is ${shown(value)}.`, `Give a whole number from ${min} to ${max}.`);
  };
  if (!Array.isArray(size))
    throw badArgument(`The option size is ${shown(size)}.`, "Give an array of lengths.");
  if (start !== undefined && typeof start !== "string")
    throw badArgument(`The option start is ${shown(start)}.`, "Give a start's name.");
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw badArgument(`The option onProgress is ${shown(onProgress)}.`, "Give a function of a number.");
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw badArgument(`The option signal is ${shown(signal)}.`, "Give the signal of an AbortController.");
  if (parameters === null || typeof parameters !== "object")
    throw badArgument(`The option parameters is ${shown(parameters)}.`, "Give numbers by their names.");
  const sweeps = whole("sweeps", options.sweeps, 1, 2 ** 32 - 1);
  const { seed = 1, discard = Math.floor(sweeps / 5), structureEvery } = options;
  return {
    size: size as readonly number[],
    sweeps,
    seed: whole("seed", seed, 0, Number.MAX_SAFE_INTEGER),
    discard: whole("discard", discard, 0, sweeps - 1),
    structureEvery:
      structureEvery === undefined ? undefined : whole("structureEvery", structureEvery, 1, sweeps),
    parameters: parameters as Numbers,
    start,
    device: readDevice(device),
    onProgress: onProgress as ((sweeps: number) => void) | undefined,
    signal,
  };
}
