import type { Grid } from "../core/grid.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { CpuTeam } from "../lang/expression/execute/cpu/team.ts";
import { onlyOneWay } from "../lang/expression/execute/reason.ts";
import type { CreateNetwork, Derive, Prepare } from "./api.ts";
import { deriveOnDevice, deriveOnHost, requireOwnDevice } from "./derive.ts";
import { Devices, type FoundGpu } from "./devices.ts";
import { hypercubeInterface } from "./hypercube.ts";
import type { Hypercube } from "./hypercube-api.ts";
import { latticeInterface } from "./lattice.ts";
import type { Lattice } from "./lattice-api.ts";
import { createNetwork } from "./networks.ts";
import { prepareOnCpu } from "./prepare-on-cpu.ts";
import { prepareHostOnGpu, prepareOnDevice } from "./prepare-on-gpu.ts";
import { type Inputs, readFields } from "./read-fields.ts";
import { readGrid } from "./read-grid.ts";
import { readOptions, type Settings } from "./read-options.ts";
import { requireObject } from "./refusal.ts";
import { type Sample, sample } from "./sample.ts";
import { prepared } from "./steps.ts";

/** What host programs call. */
export interface HostInterface {
  readonly createNetwork: CreateNetwork;
  readonly derive: Derive;
  readonly hypercube: Hypercube;
  readonly lattice: Lattice;
  readonly prepare: Prepare;
  readonly sample: Sample;
  /**
   * Destroys the device that was opened for the program, if any, and ends its workers; buffers and devices of its own
   * stay.
   */
  readonly releaseDevice: () => Promise<void>;
}

interface Call {
  readonly settings: Settings;
  readonly grid: Grid;
  readonly inputs: Inputs;
  readonly gpu: GpuContext | undefined;
  readonly notes: readonly string[];
}

/** The interface where `find` finds WebGPU, and the workers help the CPU. */
export function hostInterface(find: () => Promise<FoundGpu>, workers?: CpuTeam): HostInterface {
  const devices = new Devices(find);

  async function read(data: unknown, options: unknown, caller: "derive" | "prepare"): Promise<Call> {
    const settings = readOptions(options, caller);
    const { grid: gridInput, fields } = requireObject(data, `The data of ${caller}`, ["grid", "fields"]);
    const grid = readGrid(gridInput);
    const inputs = readFields(fields);
    requireOwnDevice(settings, inputs);
    const { gpu, note } = await devices.open(settings.device);
    const notes = note ? [note] : [];
    if (!gpu && settings.strategy !== "auto") {
      notes.push(onlyOneWay(settings.strategy));
    }
    for (const text of notes) settings.onEvent({ kind: "note", text });
    return { settings, grid, inputs, gpu, notes };
  }

  async function derive(expression: unknown, data: unknown, options: unknown = {}) {
    const { settings, grid, inputs, gpu, notes } = await read(data, options, "derive");
    const result =
      gpu && inputs.kind === "buffer"
        ? await deriveOnDevice(gpu, expression, grid, inputs.fields, settings)
        : await deriveOnHost(
            gpu,
            workers,
            expression,
            grid,
            inputs.kind === "host" ? inputs.fields : [],
            settings,
          );
    return { ...result, notes: [...notes, ...result.notes] };
  }

  async function prepare(expression: unknown, data: unknown, options: unknown = {}) {
    const { settings, grid, inputs, gpu } = await read(data, options, "prepare");
    if (gpu && inputs.kind === "buffer") {
      return prepared(await prepareOnDevice(gpu, expression, grid, inputs.fields, settings), settings);
    }
    const arrays = inputs.kind === "host" ? inputs.fields : [];
    return gpu
      ? prepared(await prepareHostOnGpu(gpu, expression, grid, arrays, settings), settings)
      : prepared(prepareOnCpu(expression, grid, arrays, settings, workers), settings);
  }

  return {
    createNetwork,
    derive: derive as Derive,
    hypercube: hypercubeInterface(devices),
    lattice: latticeInterface(devices),
    prepare: prepare as Prepare,
    sample,
    async releaseDevice() {
      workers?.end();
      await devices.release();
    },
  };
}
