import type { DataSet } from "../core/field.ts";
import { capitalized } from "../core/format.ts";
import type { Grid } from "../core/grid.ts";
import { checkCancelled } from "../core/job.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { evaluateOnCpu } from "../lang/expression/execute/cpu/evaluate.ts";
import type { CpuWorkers } from "../lang/expression/execute/cpu/workers.ts";
import { lostDigits } from "../lang/expression/execute/digits/lost-digits.ts";
import { onCpuForDigits, onGpuDespiteDigits } from "../lang/expression/execute/digits/notes.ts";
import { chooseStrategy } from "../lang/expression/execute/gpu/choose-strategy.ts";
import { evaluateOnGpu } from "../lang/expression/execute/gpu/evaluate.ts";
import { runChosen } from "../lang/expression/execute/gpu/run.ts";
import type { BufferField, Derived, HostField } from "./api.ts";
import { bufferFields } from "./buffer-fields.ts";
import { compileProgram, jobOf } from "./program.ts";
import { type BufferInput, type HostInput, hostField, type Inputs } from "./read-fields.ts";
import { requestOf, type Settings } from "./read-options.ts";
import { badArgument } from "./refusal.ts";
import { cpuReport, gpuReport, hostFields, pick, quantityRecords } from "./reports.ts";
import { ResidentInputs } from "./resident.ts";

/** Arrays in, arrays out, by any strategy, on a GPU where there is one. */
export async function deriveOnHost(
  gpu: GpuContext | undefined,
  workers: CpuWorkers | undefined,
  expression: unknown,
  grid: Grid,
  inputs: readonly HostInput[],
  settings: Settings,
): Promise<Derived<HostField>> {
  const dataSet: DataSet = {
    name: "host",
    grid,
    fields: inputs.map((input) => hostField(grid, input)),
    notes: [],
  };
  const { network, outputs } = compileProgram(expression, dataSet.fields, settings);
  const job = jobOf(settings);
  checkCancelled(job, "Computing the expression");
  const lost = gpu ? await lostDigits(network, outputs, dataSet) : [];
  const isFree = settings.device === "auto" && requestOf(settings).strategy === "auto";
  if (!gpu || (lost.length > 0 && isFree)) {
    const why = lost.length > 0 ? [onCpuForDigits(lost)] : [];
    const start = performance.now();
    const evaluation = await evaluateOnCpu(network, dataSet, outputs, job, workers);
    const { fields, quantities, threads } = evaluation;
    const notes = [...why, ...evaluation.notes];
    const report = cpuReport(threads, performance.now() - start);
    for (const text of notes) settings.onEvent({ kind: "note", text });
    return {
      fields: hostFields(outputs, fields),
      ...quantityRecords(outputs, quantities),
      report,
      notes: [...network.notes, ...notes],
    };
  }
  const choice = await chooseStrategy(gpu, network, outputs, requestOf(settings), {
    host: async () => dataSet,
  });
  const { fields, quantities, report } = await runChosen(gpu, network, outputs, choice, job);
  tellReason(settings, report.reason);
  const notes = lost.length > 0 ? [onGpuDespiteDigits(lost)] : [];
  for (const text of notes) settings.onEvent({ kind: "note", text });
  return {
    fields: hostFields(outputs, fields),
    ...quantityRecords(outputs, quantities),
    report: gpuReport(gpu, report.strategy, report.reason, report, report.ms),
    notes: [...network.notes, ...notes],
  };
}

/** Buffers in, buffers out, on the device that they are of. */
export async function deriveOnDevice(
  gpu: GpuContext,
  expression: unknown,
  grid: Grid,
  inputs: readonly BufferInput[],
  settings: Settings,
): Promise<Derived<BufferField>> {
  const given = await bufferFields(gpu, grid, inputs);
  const { network, outputs } = compileProgram(expression, given, settings);
  const resident = new ResidentInputs(gpu, grid, new Map(given.map((field) => [field.name, field])));
  const choice = await chooseStrategy(gpu, network, outputs, requestOf(settings), { device: resident });
  const job = jobOf(settings);
  checkCancelled(job, "Computing the expression");
  try {
    const { fields, quantities, report } = await evaluateOnGpu(gpu, network, resident, outputs, job, choice);
    const derived = pick(outputs, fields, ({ buffer, components, centering }) => ({
      buffer: gpu.pool.handOver(buffer),
      components,
      centering,
    }));
    tellReason(settings, report.reason);
    const reported = gpuReport(gpu, report.strategy, report.reason, report, report.ms);
    return {
      fields: derived,
      ...quantityRecords(outputs, quantities),
      report: reported,
      notes: network.notes,
    };
  } finally {
    resident.release();
  }
}

function tellReason({ onEvent }: Settings, reason: string | undefined): void {
  if (reason !== undefined) onEvent({ kind: "note", text: `${capitalized(reason)}.` });
}

/** Throws BadArgument where buffers are given without their device. */
export function requireOwnDevice({ device }: Settings, { kind, fields }: Inputs): void {
  if (typeof device === "object" || kind === "host") return;
  throw badArgument(
    `The field “${fields[0].name}” is a GPU buffer, and the option device is “${device}”.`,
    "Give the GPUDevice that made the buffer as device.",
  );
}
