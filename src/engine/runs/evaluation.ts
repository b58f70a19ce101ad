import type { DataSet, Field } from "../../core/field.ts";
import type { Centering, Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import type { GridTables } from "../../gpu/fields/grid-tables.ts";
import { chooseStrategy } from "../../lang/expression/execute/gpu/choose-strategy.ts";
import { evaluateOnGpu } from "../../lang/expression/execute/gpu/evaluate.ts";
import type { GpuInputs } from "../../lang/expression/execute/gpu/inputs.ts";
import type { RunOptions } from "../../lang/expression/execute/gpu/run.ts";
import type { RunReport, RunResult } from "../../lang/expression/execute/report.ts";
import type { FieldSignature, Network } from "../../lang/expression/network/network.ts";
import { type PlacedLayout, withoutOffsets } from "../../lang/expression/plan/kernel-planner.ts";
import type { PlanInputs } from "../../lang/expression/plan/planner.ts";
import type { InputArray } from "../../lang/expression/plan/steps.ts";
import type { FieldValue } from "../derived.ts";
import type { RunRequest } from "./api.ts";

/** The fields that expressions read, loaded and derived ones, wherever they are. */
export interface FieldStore {
  readonly data: {
    readonly dataSet: DataSet;
    hasTables(centering: Centering): boolean;
    tables(gpu: GpuContext, centering: Centering): GridTables;
  };
  signatures(): readonly FieldSignature[];
  /** Whether a field is on the GPU, or on its way. */
  isOnGpu(name: string): boolean;
  /** A field on the GPU, sent when first asked for; owned by the store. */
  gpuField(gpu: GpuContext, name: string, job: JobContext): Promise<GpuField>;
  hostField(name: string): Promise<Field>;
}

/** The values of a network's chosen outputs. */
export interface Evaluation {
  /** Of those that vary. */
  readonly values: ReadonlyMap<string, FieldValue>;
  /** Of the others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly kernels: number;
  /** Threads that computed; undefined on a GPU. */
  readonly threads?: number;
  /** Sentences about what kept threads from helping, and about digits that f32 loses. */
  readonly notes?: readonly string[];
  /** What moved and was held; undefined on a CPU. */
  readonly account?: RunReport;
}

/**
 * Evaluates outputs by a strategy: with fields and results on the GPU where strategy and budget let them stay there,
 * else from host memory to host memory. Throws what `runNetwork` throws.
 */
export async function evaluateByStrategy(
  store: FieldStore,
  gpu: GpuContext,
  network: Network,
  outputs: readonly string[],
  request: RunRequest,
  job: JobContext,
): Promise<Evaluation> {
  const device = new StoredFields(store, gpu, job);
  const host = () => hostData(store, network);
  const choice = await chooseStrategy(gpu, network, outputs, request, { device, host });
  if (choice.kind === "host") {
    const { runChosen } = await import("../../lang/expression/execute/gpu/run.ts");
    const result = await runChosen(gpu, network, outputs, choice, job);
    return evaluationOf(result, (field) => ({ kind: "host", field }));
  }
  const result = await evaluateOnGpu(gpu, network, device, outputs, job, choice);
  return evaluationOf(result, (field) => ({ kind: "gpu", field }));
}

/** Evaluates outputs from host memory to host memory. Throws what `runNetwork` throws. */
export async function evaluateOnHost(
  store: FieldStore,
  gpu: GpuContext,
  network: Network,
  outputs: readonly string[],
  options: RunOptions,
  job: JobContext,
): Promise<RunResult<Field>> {
  const dataSet = await hostData(store, network);
  const { runNetwork } = await import("../../lang/expression/execute/gpu/run.ts");
  return runNetwork(gpu, network, dataSet, outputs, job, options);
}

function evaluationOf<Computed>(
  { fields, quantities, report }: RunResult<Computed>,
  wrap: (field: Computed) => FieldValue,
): Evaluation {
  const values = new Map([...fields].map(([name, field]) => [name, wrap(field)]));
  return { values, quantities, kernels: report.kernels, account: report };
}

/** The data set with the fields that a network reads. */
export async function hostData(store: FieldStore, { nodes }: Network): Promise<DataSet> {
  const read = new Set(nodes.flatMap((node) => (node.kind === "source" ? [node.field] : [])));
  const fields = await Promise.all([...read].map((name) => store.hostField(name)));
  return { ...store.data.dataSet, fields };
}

/** The fields of a store as plans and runs see them whose inputs stay on the GPU: those that are not there are sent. */
class StoredFields implements GpuInputs, PlanInputs {
  readonly #store: FieldStore;
  readonly #gpu: GpuContext;
  readonly #job: JobContext;
  readonly #signatures: ReadonlyMap<string, FieldSignature>;

  constructor(store: FieldStore, gpu: GpuContext, job: JobContext) {
    this.#store = store;
    this.#gpu = gpu;
    this.#job = job;
    this.#signatures = new Map(store.signatures().map((signature) => [signature.name, signature]));
  }

  get grid(): Grid {
    return this.#store.data.dataSet.grid;
  }

  layout(name: string): PlacedLayout {
    return withoutOffsets(this.#signatures.get(name) as FieldSignature);
  }

  field(name: string): Promise<GpuField> {
    return this.#store.gpuField(this.#gpu, name, this.#job);
  }

  tables(centering: Centering): GridTables {
    return this.#store.data.tables(this.#gpu, centering);
  }

  isPresent(input: InputArray): boolean {
    return input.kind === "field"
      ? this.#store.isOnGpu(input.field)
      : this.#store.data.hasTables(input.centering);
  }
}
