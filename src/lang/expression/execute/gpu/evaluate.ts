import { checkCancelled, type JobContext, noJob } from "../../../../core/job.ts";
import type { Quantity } from "../../../../core/quantity.ts";
import type { RunCost } from "../../../../core/run-cost.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { Network } from "../../network/network.ts";
import { CostLedger } from "../../plan/cost.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import { limitsOf, Planner } from "../../plan/planner.ts";
import { type Part, resolveReductions } from "../../plan/reductions.ts";
import { type Residency, resident, residentAndBound } from "../../plan/residency.ts";
import { type InputArray, keyOf } from "../../plan/steps.ts";
import type { ResidentStrategy } from "../../plan/strategies.ts";
import { evaluateParts, measureBy, type PartRunner } from "../parts.ts";
import type { KernelReport, RunResult } from "../report.ts";
import { deviceValues } from "./device-values.ts";
import { Execution } from "./execution.ts";
import { fieldsRead, type GpuInputs } from "./inputs.ts";

export interface EvaluationOptions {
  /** Fusion where it is left out. */
  readonly strategy?: ResidentStrategy;
  /** Why that strategy was chosen, with what it has cost. */
  readonly reason?: (cost: RunCost) => string | undefined;
  /** Measures each kernel; the evaluation then waits for the GPU at its end. */
  readonly timer?: PassTimer;
}

/**
 * Computes the named outputs of a network on the GPU, where its fields are and its results stay: the caller releases them.
 * Each temporary is freed once the last kernel that reads it has been submitted. Submits without waiting for the GPU, but
 * for reductions, and where a timer is given. Throws UnknownName, TooLarge, OutOfMemory, Cancelled, and then gives back what
 * it allocated.
 */
export async function evaluateOnGpu(
  gpu: GpuContext,
  network: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  job: JobContext,
  { strategy = "fusion", reason, timer }: EvaluationOptions = {},
): Promise<RunResult<GpuField>> {
  const start = performance.now();
  const kernelReports: KernelReport[] = [];
  const run = { gpu, inputs, strategy, job, timer, ledger: new CostLedger(), kernelReports };
  const found = await evaluateParts(network, outputs, runnerOf(run));
  const { cost } = run.ledger;
  const ms = performance.now() - start;
  return { ...found, report: { ...cost, strategy, reason: reason?.(cost), blocks: 1, ms, kernelReports } };
}

/** A network bound to its buffers, to be recorded as often as wanted: what benches and animations repeat. */
export interface PreparedEvaluation {
  readonly fields: ReadonlyMap<string, GpuField>;
  /** The outputs that do not vary: of the values that the fields had when it was prepared. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  /** Kernels that `record` encodes. */
  readonly kernels: number;
  /** Encodes every kernel, in order, into a compute pass. */
  record(pass: GPUComputePassEncoder): void;
  /** Frees outputs and temporaries. */
  release(): void;
}

export interface PrepareOptions {
  readonly job?: JobContext;
  readonly strategy?: ResidentStrategy;
}

/** Compiles and binds once. Temporaries live as long as the preparation. Throws what `evaluateOnGpu` throws. */
export async function prepareOnGpu(
  gpu: GpuContext,
  network: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  { job = noJob, strategy = "fusion" }: PrepareOptions = {},
): Promise<PreparedEvaluation> {
  const run = { gpu, inputs, strategy, job, ledger: new CostLedger(), kernelReports: [] };
  const { fields, quantities } = await resolveReductions(network, outputs, measureBy(runnerOf(run)));
  const execution = await compilePart(run, fields, residentAndBound);
  const uniforms = gpu.scope();
  const release = () => {
    execution.dispose();
    uniforms.release();
  };
  try {
    const kernels = await execution.prepare(uniforms);
    return {
      fields: execution.gpuFields(),
      quantities,
      kernels: kernels.length,
      record(pass) {
        for (const record of kernels) record(pass);
      },
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** An evaluation under way, with its account. */
interface ResidentRun {
  readonly gpu: GpuContext;
  readonly inputs: GpuInputs;
  readonly strategy: ResidentStrategy;
  readonly job: JobContext;
  readonly timer?: PassTimer;
  readonly ledger: CostLedger;
  readonly kernelReports: KernelReport[];
}

const runnerOf = (run: ResidentRun): PartRunner<GpuField> => ({
  async compute(part) {
    const execution = await compilePart(run, part, resident);
    try {
      run.kernelReports.push(...(await execution.run(run.job, run.timer)));
      return execution.takeGpuFields();
    } finally {
      execution.dispose();
    }
  },
  valuesOf: (field) => deviceValues(run.gpu, run.inputs.grid, field),
  release({ buffer }) {
    run.ledger.free(buffer.size);
    buffer.release();
  },
});

/** Asks for the fields first: kernels depend on how they are stored. */
async function compilePart(
  { gpu, inputs, strategy, job, ledger }: ResidentRun,
  part: Part,
  residency: Residency,
): Promise<Execution> {
  const residentFields = new Map<string, GpuField>();
  for (const field of fieldsRead(part.network, chosenOutputs(part.network, part.names))) {
    const input: InputArray = { kind: "field", field };
    const wasPresent = inputs.isPresent?.(input) ?? true;
    const found = await inputs.field(field);
    residentFields.set(field, found);
    ledger.readResident(keyOf(input), found.buffer.size, wasPresent);
    checkCancelled(job, "Computing the expression");
  }
  const layout = (name: string) => residentFields.get(name) as GpuField;
  const planner = new Planner({ grid: inputs.grid, layout }, limitsOf(gpu));
  const [plan] = planner.plan([part], strategy, residency).parts;
  return Execution.compile({ gpu, plan, inputs, residentFields, ledger }, job);
}
