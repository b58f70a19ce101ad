import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { downloadField } from "../gpu/fields/download.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import type { Network } from "../lang/expression/network/network.ts";
import type { BufferField, HostField } from "./api.ts";
import { bufferFields } from "./buffer-fields.ts";
import { GpuLoop, type Outtake } from "./gpu-loop.ts";
import { BufferIntake, HostIntake, type Intake } from "./intake.ts";
import { compileProgram, type Program } from "./program.ts";
import { type BufferInput, type HostInput, hostField } from "./read-fields.ts";
import type { Settings } from "./read-options.ts";
import { hostFields, pick } from "./reports.ts";
import type { Stepper } from "./steps.ts";

/** Steps from arrays to arrays through buffers that stay. */
export async function prepareHostOnGpu(
  gpu: GpuContext,
  expression: unknown,
  grid: Grid,
  inputs: readonly HostInput[],
  settings: Settings,
): Promise<Stepper<HostField>> {
  const first = inputs.map((input) => hostField(grid, input));
  const program = compileProgram(expression, first, settings);
  const intake = new HostIntake(gpu, grid, first, usedFields(program.network));
  return stepper(gpu, grid, program, first, settings, intake, async (names, fields) => {
    const found = await Promise.all(
      names.flatMap((name) => {
        const field = fields.get(name);
        return field ? [downloadField(gpu, field).then((host) => [name, host] as const)] : [];
      }),
    );
    return hostFields(names, new Map(found));
  });
}

/** Steps from buffers to buffers, on the device that they are of. */
export async function prepareOnDevice(
  gpu: GpuContext,
  expression: unknown,
  grid: Grid,
  inputs: readonly BufferInput[],
  settings: Settings,
): Promise<Stepper<BufferField>> {
  const first = await bufferFields(gpu, grid, inputs);
  const program = compileProgram(expression, first, settings);
  const intake = new BufferIntake(gpu, grid, first);
  return stepper(gpu, grid, program, first, settings, intake, async (names, fields) =>
    pick(names, fields, ({ buffer, components, centering }) => ({
      buffer: buffer.buffer,
      components,
      centering,
    })),
  );
}

async function stepper<Result>(
  gpu: GpuContext,
  grid: Grid,
  program: Program,
  first: readonly (Field | GpuField)[],
  settings: Settings,
  intake: Intake,
  take: Outtake<Result>,
): Promise<Stepper<Result>> {
  const shapes = new Map(first.map((field) => [field.name, field]));
  const loop = await GpuLoop.create({ gpu, grid, program, settings, shapes, intake });
  return {
    kind: intake.kind,
    shapes,
    run: (given, job) => loop.run(given, job, take),
    isosurface: (isovalue) => loop.isosurface(isovalue),
    release: () => loop.release(),
  };
}

const usedFields = ({ nodes }: Network): Set<string> =>
  new Set(nodes.flatMap((node) => (node.kind === "source" ? [node.field] : [])));
