/** What `import { lattice } from "crinkle"` gives. */
import type { Clusters, LatticePlan } from "../core/lattice/model.ts";
import { latticeModels, modelNamed, parametersOf, startNamed } from "../core/lattice/models.ts";
import { columnsOf, runModel, stateOf } from "../core/lattice/run.ts";
import type { Simulation, SimulationOptions } from "../core/lattice/simulation.ts";
import { seedWords, varyModel } from "../core/lattice/vary.ts";
import type { Devices } from "./devices.ts";
import type { Lattice } from "./lattice-api.ts";
import { readSimulateOptions, readVaryOptions } from "./lattice-options.ts";

/** The interface on the devices of a host program. */
export function latticeInterface(devices: Devices): Lattice {
  return {
    models: latticeModels.map(({ name, title, summary, parameters, measures }) => ({
      name,
      title,
      summary,
      parameters,
      measures: Object.fromEntries(
        Object.entries(measures).map(([measure, { meaning }]) => [measure, meaning]),
      ),
    })),
    async simulate(name, given) {
      const model = modelNamed(name);
      const options = readSimulateOptions(given);
      const { size, seed } = options;
      const parameters = parametersOf(model, options.parameters, size.length);
      const plan = model.on(size, parameters);
      const start = options.start ?? model.start;
      startNamed(plan, start);
      const { gpu, note } = await devices.open(options.device);
      const began = performance.now();
      const simulation = await open(gpu, plan, { seed: seedWords(seed), start, parameters });
      try {
        const { measures, series, structure } = await runModel(model, plan, simulation, {
          ...options,
          parameters,
        });
        const fields = await stateOf(plan, simulation);
        return {
          model: model.name,
          parameters,
          measures,
          series: columnsOf(series),
          structure,
          fields,
          report: reportOf(gpu, began),
          notes: note ? [note] : [],
        };
      } finally {
        simulation.dispose();
      }
    },
    async vary(name, given) {
      const model = modelNamed(name);
      const { onPoint, onProgress, signal, device, ...variation } = readVaryOptions(given);
      const { gpu, note } = await devices.open(device);
      const began = performance.now();
      const points = await varyModel(model, variation, (plan, options) => open(gpu, plan, options), {
        onPoint,
        onProgress,
        signal,
      });
      return {
        model: model.name,
        parameter: variation.parameter,
        points,
        report: reportOf(gpu, began),
        notes: note ? [note] : [],
      };
    },
  };
}

const reportOf = (gpu: Gpu, began: number) => ({
  device: gpu ? ("gpu" as const) : ("cpu" as const),
  description: gpu?.adapter.description ?? "CPU",
  ms: performance.now() - began,
});

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
