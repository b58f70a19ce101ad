import { type DataSet, type Field, makeField } from "../../../../core/field.ts";
import { valueCount } from "../../../../core/grid.ts";
import type { JobContext } from "../../../../core/job.ts";
import { type RunCost, sumCosts } from "../../../../core/run-cost.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import type { Network } from "../../network/network.ts";
import { blockOf, putBlock } from "../../plan/blocks.ts";
import { CostLedger } from "../../plan/cost.ts";
import { limitsOf, type PartPlan, Planner, type RunPlan } from "../../plan/planner.ts";
import type { Part } from "../../plan/reductions.ts";
import { centeringOf } from "../../plan/stages.ts";
import type { StrategyName } from "../../plan/strategies.ts";
import { componentsOf } from "../../types.ts";
import { hostValues } from "../host-values.ts";
import { evaluateParts } from "../parts.ts";
import type { KernelReport, RunResult } from "../report.ts";
import { chooseStrategy, type HostChoice, type StrategyRequest } from "./choose-strategy.ts";
import { Execution } from "./execution.ts";
import { fieldsRead, HostFields } from "./inputs.ts";

export interface RunOptions extends Partial<StrategyRequest> {
  /** Measures each kernel, where it is one block. */
  readonly timer?: PassTimer;
}

/**
 * Runs a network on fields of the host and gives its outputs there (seed 001, § III.C), by any strategy, with an account
 * of what moved, for what reductions need too. All strategies compute the same functions in f32; those that keep values
 * in registers may differ in the last bit, where a compiler contracts a product and a sum. Throws UnknownName, TooLarge
 * (with the bytes needed, before it allocates), OutOfMemory, Cancelled.
 */
export async function runNetwork(
  gpu: GpuContext,
  network: Network,
  dataSet: DataSet,
  names: readonly string[],
  job: JobContext,
  { strategy = "auto", budget, timer }: RunOptions = {},
): Promise<RunResult<Field>> {
  const choice = await chooseStrategy(
    gpu,
    network,
    names,
    { strategy, budget },
    { host: async () => dataSet },
  );
  return runChosen(gpu, network, names, choice, job, timer);
}

/** The same by a strategy that was chosen. */
export async function runChosen(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  { strategy, fields: hostFields, planner, reason }: HostChoice,
  job: JobContext,
  timer?: PassTimer,
): Promise<RunResult<Field>> {
  const start = performance.now();
  const ledger = new CostLedger();
  const kernelReports: KernelReport[] = [];
  let blocks = 1;
  const compute = async (part: Part): Promise<ReadonlyMap<string, Field>> => {
    const [plan] = planner.plan([part], strategy).parts;
    const run =
      plan.blocks.length > 1
        ? await runBlocks(gpu, plan, hostFields, job)
        : await runWhole(gpu, plan, hostFields, job, timer);
    ledger.add(run.cost);
    kernelReports.push(...run.kernelReports);
    blocks = Math.max(blocks, plan.blocks.length);
    return run.fields;
  };
  const valuesOf = (field: Field) => hostValues(hostFields.grid, field);
  const { fields, quantities } = await evaluateParts(network, names, { compute, valuesOf });
  const { cost } = ledger;
  const report = {
    ...cost,
    strategy,
    reason: reason(cost),
    blocks,
    ms: performance.now() - start,
    kernelReports,
  };
  return { fields, quantities, report };
}

/** How `strategy` would run a network without reductions from host memory to host memory. Throws TooLarge. */
export function planRun(
  gpu: GpuContext,
  network: Network,
  dataSet: DataSet,
  names: readonly string[],
  strategy: StrategyName,
  budget?: number,
): RunPlan {
  const planner = new Planner(new HostFields(dataSet), limitsOf(gpu, budget));
  return planner.plan([{ network, names }], strategy);
}

interface PartRun {
  readonly fields: ReadonlyMap<string, Field>;
  readonly cost: RunCost;
  readonly kernelReports: readonly KernelReport[];
}

/** On the whole grid, or on a block of it. */
async function runWhole(
  gpu: GpuContext,
  plan: PartPlan,
  fields: HostFields,
  job: JobContext,
  timer?: PassTimer,
  dataSet?: DataSet,
): Promise<PartRun> {
  const ledger = new CostLedger();
  const inputs = fields.sent(gpu, job, dataSet);
  const execution = await Execution.compile({ gpu, plan, inputs, ledger }, job);
  try {
    const kernelReports = await execution.run(job, timer);
    return { fields: execution.hostFields(), cost: ledger.cost, kernelReports };
  } finally {
    execution.dispose();
  }
}

/** Block by block, so many at once as the plan says. */
async function runBlocks(
  gpu: GpuContext,
  plan: PartPlan,
  fields: HostFields,
  job: JobContext,
): Promise<PartRun> {
  const { network, outputs } = plan;
  const { dataSet, grid } = fields;
  const inputs = [...fieldsRead(network, outputs)];
  const results = new Map<string, Field>();
  for (const { name, node } of outputs) {
    const centering = centeringOf(network.nodes[node]);
    const components = componentsOf(network.nodes[node].type.value);
    const data = new Float32Array(valueCount(grid, centering) * components);
    results.set(name, makeField(grid, name, centering, components, data));
  }
  const costs: RunCost[] = [];
  let kernelReports: readonly KernelReport[] = [];
  const blocks = plan.blocks.values();
  const stop = new AbortController();
  const quiet: JobContext = { signal: AbortSignal.any([job.signal, stop.signal]), progress: () => {} };
  let fault: unknown;
  const worker = async () => {
    for (const block of blocks) {
      const run = await runWhole(gpu, plan, fields, quiet, undefined, blockOf(dataSet, inputs, block));
      for (const [name, field] of run.fields) putBlock(results.get(name) as Field, grid, field, block);
      costs.push(run.cost);
      kernelReports = run.kernelReports;
      const done = costs.length;
      job.progress(done / plan.blocks.length, `Computing block ${done} of ${plan.blocks.length}`);
    }
  };
  const guarded = () =>
    worker().catch((error: unknown) => {
      fault ??= error;
      stop.abort();
    });
  await Promise.all(Array.from({ length: plan.atOnce }, guarded));
  if (fault !== undefined) throw fault;
  const peaks = costs.map(({ peakBytes }) => peakBytes).sort((a, b) => b - a);
  const peakBytes = peaks.slice(0, plan.atOnce).reduce((sum, bytes) => sum + bytes, 0);
  return { fields: results, cost: { ...sumCosts(costs), peakBytes }, kernelReports };
}
