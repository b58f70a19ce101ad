import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { evaluateOnGpu } from "../../lang/expression/execute/gpu/evaluate.ts";
import { type Refusal, reasonFor } from "../../lang/expression/execute/gpu/reason.ts";
import { type ResidentShape, residentCost } from "../../lang/expression/execute/gpu/resident.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import { fusion } from "../../lang/expression/plan/fusion.ts";
import { staged } from "../../lang/expression/plan/per-filter.ts";
import { tooLongArray, tooMuchMemory } from "../../lang/expression/plan/refusals.ts";
import type { RunReport } from "../../lang/expression/plan/report.ts";
import type { FieldValue } from "../derived.ts";
import type { Session } from "../session.ts";
import { ResidentAccount } from "./account.ts";
import type { RunRequest } from "./api.ts";

/** The values of a network's chosen outputs. */
export interface Evaluation {
  /** Of those that vary. */
  readonly values: ReadonlyMap<string, FieldValue>;
  /** Of the others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly kernels: number;
  /** Threads that computed; undefined on a GPU. */
  readonly threads?: number;
  /** Sentences about what kept threads from helping. */
  readonly notes?: readonly string[];
  /** What moved and was held; undefined on a CPU. */
  readonly account?: RunReport;
}

const residentStrategies = { fusion, staged } as const;
type ResidentName = keyof typeof residentStrategies;

/** What a request tries first: strategies under which fields and results stay on the GPU, in the order of their speed. */
const residentFor: Readonly<Record<RunRequest["strategy"], readonly ResidentName[]>> = {
  auto: ["fusion", "staged"],
  fusion: ["fusion"],
  staged: ["staged"],
  streamed: [],
  roundtrip: [],
};

/**
 * Evaluates outputs by a strategy: with fields and results on the GPU where strategy and budget let them stay there,
 * else from host memory to host memory. Throws what `runNetwork` throws.
 */
export async function evaluateByStrategy(
  session: Session,
  gpu: GpuContext,
  network: Network,
  outputs: readonly string[],
  { strategy, budget = Number.POSITIVE_INFINITY }: RunRequest,
  job: JobContext,
): Promise<Evaluation> {
  const refusals: Refusal[] = [];
  for (const name of residentFor[strategy]) {
    const error = await whyNotResident(session, gpu, network, outputs, name, budget);
    if (error) refusals.push({ strategy: name, error });
    else return evaluateResident(session, gpu, network, outputs, name, job, strategy === "auto" && refusals);
  }
  const { fields, quantities, report } = await session.run(network, outputs, { strategy, budget }, job);
  const values = [...fields].map(([name, field]) => [name, { kind: "host", field }] as const);
  return { values: new Map(values), quantities, kernels: report.kernels, account: report };
}

/** Undefined where it fits. */
async function whyNotResident(
  session: Session,
  gpu: GpuContext,
  network: Network,
  outputs: readonly string[],
  strategy: ResidentName,
  budget: number,
): Promise<CrinkleError | undefined> {
  const { grid } = session.data.dataSet;
  const signatures = new Map(session.signatures().map((signature) => [signature.name, signature]));
  const shapeOf = (name: string) => signatures.get(name) as ResidentShape;
  try {
    const plan = residentStrategies[strategy];
    const { peakBytes, largestArray } = await residentCost(gpu, network, outputs, grid, shapeOf, plan, false);
    if (peakBytes > budget) return tooMuchMemory(strategy, peakBytes, budget, true);
    const { largestBinding } = gpu.pool;
    return largestArray > largestBinding
      ? tooLongArray(strategy, peakBytes, largestArray, largestBinding, true)
      : undefined;
  } catch (error) {
    if (error instanceof CrinkleError && error.tag === "TooLarge") return error;
    throw error;
  }
}

/** Fields are sent that are not there yet; nothing comes back. `refusals`: of those asked before, where it was chosen. */
async function evaluateResident(
  session: Session,
  gpu: GpuContext,
  network: Network,
  outputs: readonly string[],
  name: ResidentName,
  job: JobContext,
  refusals: readonly Refusal[] | false,
): Promise<Evaluation> {
  const { data } = session;
  const account = new ResidentAccount(gpu);
  const start = performance.now();
  const inputs = {
    grid: data.dataSet.grid,
    field: async (field: string) => {
      const wasPresent = session.isOnGpu(field);
      const sent = await session.gpuField(gpu, field, job);
      account.reads(sent.buffer, wasPresent);
      return sent;
    },
    tables: (centering: "node" | "cell") => {
      const wasPresent = data.hasTables(centering);
      const tables = data.tables(gpu, centering);
      account.reads(tables.buffer, wasPresent);
      return tables;
    },
  };
  const strategy = residentStrategies[name];
  const { fields, quantities, kernels } = await evaluateOnGpu(gpu, network, inputs, outputs, job, {
    strategy,
  });
  const cost = account.cost(kernels.length);
  const values = [...fields].map(([output, field]) => [output, { kind: "gpu", field }] as const);
  return {
    values: new Map(values),
    quantities,
    kernels: kernels.length,
    account: {
      ...cost,
      strategy: name,
      ...(refusals ? { reason: reasonFor(name, cost, refusals, true) } : {}),
      blocks: 1,
      ms: performance.now() - start,
      kernelReports: kernels,
    },
  };
}
