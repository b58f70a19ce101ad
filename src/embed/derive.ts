import type { DataSet } from "../core/field.ts";
import { capitalized } from "../core/format.ts";
import type { Grid } from "../core/grid.ts";
import { checkCancelled } from "../core/job.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { evaluateOnCpu } from "../lang/expression/execute/cpu/evaluate.ts";
import type { CpuWorkers } from "../lang/expression/execute/cpu/workers.ts";
import { evaluateOnGpu } from "../lang/expression/execute/gpu/evaluate.ts";
import { reasonFor } from "../lang/expression/execute/gpu/reason.ts";
import { runNetwork } from "../lang/expression/execute/gpu/run.ts";
import type { RunCost } from "../lang/expression/plan/report.ts";
import type { BufferField, Derived, HostField } from "./api.ts";
import { bufferFields } from "./buffer-fields.ts";
import { compileProgram, jobOf } from "./program.ts";
import { type BufferInput, type HostInput, hostField, type Inputs } from "./read-fields.ts";
import type { Settings } from "./read-options.ts";
import { badArgument } from "./refusal.ts";
import { cpuReport, gpuReport, hostFields, pick, quantityRecords } from "./reports.ts";
import { planResident, ResidentInputs, residentStrategy } from "./resident.ts";

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
  if (!gpu) {
    const start = performance.now();
    const evaluation = await evaluateOnCpu(network, dataSet, outputs, job, workers);
    const { fields, quantities, threads, notes } = evaluation;
    const report = cpuReport(threads, performance.now() - start);
    for (const text of notes) settings.onEvent({ kind: "note", text });
    return {
      fields: hostFields(outputs, fields),
      ...quantityRecords(outputs, quantities),
      report,
      notes: [...network.notes, ...notes],
    };
  }
  const { strategy, memory } = settings;
  const { fields, quantities, report } = await runNetwork(gpu, network, dataSet, outputs, job, {
    strategy,
    budget: memory,
  });
  tellReason(settings, report.reason);
  return {
    fields: hostFields(outputs, fields),
    ...quantityRecords(outputs, quantities),
    report: gpuReport(gpu, report.strategy, report.reason, report, report.ms),
    notes: network.notes,
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
  const program = compileProgram(expression, given, settings);
  const { network, outputs } = program;
  const fields = new Map(given.map((field) => [field.name, field]));
  const strategy = residentStrategy(settings.strategy);
  const cost = await planResident(gpu, program, grid, fields, strategy, settings.memory, false);
  const job = jobOf(settings);
  checkCancelled(job, "Computing the expression");
  const start = performance.now();
  const resident = new ResidentInputs(gpu, grid, fields);
  try {
    const evaluation = await evaluateOnGpu(gpu, network, resident, outputs, job, { strategy });
    const derived = pick(outputs, evaluation.fields, ({ buffer, components, centering }) => ({
      buffer: gpu.pool.handOver(buffer),
      components,
      centering,
    }));
    const moved = { uploads: cost.tables, uploadedBytes: cost.tableBytes, downloads: 0, downloadedBytes: 0 };
    const ms = performance.now() - start;
    const whole = { ...cost, ...moved };
    const reason = residentReason(settings, whole);
    tellReason(settings, reason);
    const report = gpuReport(gpu, strategy.name, reason, whole, ms);
    const quantities = quantityRecords(outputs, evaluation.quantities);
    return { fields: derived, ...quantities, report, notes: network.notes };
  } finally {
    resident.release();
  }
}

/** Why fusion, where it was not asked for. */
export const residentReason = ({ strategy }: Settings, cost: RunCost): string | undefined =>
  strategy === "auto" ? reasonFor("fusion", cost, [], true) : undefined;

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
