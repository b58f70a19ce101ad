/** What `import { lattice } from "crinkle"` gives. */
import { latticeModels, modelNamed, parametersOf, startNamed } from "../core/lattice/models.ts";
import { runModel } from "../core/lattice/run.ts";
import type { Simulation } from "../core/lattice/simulation.ts";
import { seedWords, varyModel } from "../core/lattice/vary.ts";
import type { Devices } from "./devices.ts";
import type { Lattice } from "./lattice-api.ts";
import { readSimulateOptions, readVaryOptions } from "./lattice-options.ts";

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
      const { size, seed } = options;
      const parameters = parametersOf(model, options.parameters);
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
          measures,
          series: Object.fromEntries(
            Object.keys(series[0]).map((key) => [key, Float64Array.from(series, (of) => of[key])]),
          ),
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

async function open(
  gpu: Gpu,
  ...args: Parameters<typeof import("../cpu/lattice/simulation.ts").createHostSimulation>
): Promise<Simulation> {
  if (gpu) {
    const { createGpuSimulation } = await import("../gpu/lattice/simulation.ts");
    return createGpuSimulation(gpu, ...args);
  }
  const { createHostSimulation } = await import("../cpu/lattice/simulation.ts");
  return createHostSimulation(...args);
}
