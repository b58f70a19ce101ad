import type { DataSet, Field } from "../../../../core/field.ts";
import { noJob } from "../../../../core/job.ts";
import { numbersOf, type Quantity } from "../../../../core/quantity.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import { readF32 } from "../../../../gpu/device/transfer.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../../../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../../../gpu/fields/upload.ts";
import { compile } from "../../compile.ts";
import { evaluateOnCpu } from "../cpu/evaluate.ts";
import { evaluateOnGpu } from "../gpu/evaluate.ts";
import type { GpuInputs } from "../gpu/inputs.ts";
import type { KernelReport } from "../report.ts";

/** Interleaved values of each output; components of a number, counts of a histogram. */
export type Results = Record<string, ArrayLike<number>>;

export function resultsOf(
  fields: ReadonlyMap<string, Field>,
  quantities: ReadonlyMap<string, Quantity>,
): Results {
  const results: Results = {};
  for (const [name, { data }] of fields) results[name] = data as Float32Array;
  for (const [name, quantity] of quantities) results[name] = numbersOf(quantity);
  return results;
}

const names = (text: string, dataSet: DataSet) =>
  compile(text, dataSet.fields).outputs.map(({ name }) => name);

export async function runOnCpu(
  text: string,
  dataSet: DataSet,
  outputs = names(text, dataSet),
): Promise<Results> {
  const { fields, quantities } = await evaluateOnCpu(compile(text, dataSet.fields), dataSet, outputs, noJob);
  return resultsOf(fields, quantities);
}

/** A data set's GPU side, made as it is asked for. */
export class GpuDataSet implements GpuInputs {
  readonly grid: DataSet["grid"];
  readonly #gpu: GpuContext;
  readonly #dataSet: DataSet;
  readonly #fields = new Map<string, Promise<GpuField>>();
  readonly #tables = new Map<string, GridTables>();

  constructor(gpu: GpuContext, dataSet: DataSet) {
    this.grid = dataSet.grid;
    this.#gpu = gpu;
    this.#dataSet = dataSet;
  }

  field(name: string): Promise<GpuField> {
    const known = this.#fields.get(name);
    if (known) return known;
    const field = this.#dataSet.fields.find((candidate) => candidate.name === name) as Field;
    const sent = uploadField(this.#gpu, this.grid, field, noJob);
    this.#fields.set(name, sent);
    return sent;
  }

  tables(centering: "node" | "cell"): GridTables {
    let tables = this.#tables.get(centering);
    if (!tables) {
      tables = createGridTables(this.#gpu, this.grid, centering);
      this.#tables.set(centering, tables);
    }
    return tables;
  }

  async release(): Promise<void> {
    for (const { buffer } of this.#tables.values()) buffer.release();
    for (const field of this.#fields.values()) (await field).buffer.release();
  }
}

export async function runOnGpu(
  gpu: GpuContext,
  text: string,
  dataSet: DataSet,
  outputs = names(text, dataSet),
): Promise<{ results: Results; kernels: readonly KernelReport[] }> {
  const inputs = new GpuDataSet(gpu, dataSet);
  const network = compile(text, dataSet.fields);
  const { fields, quantities, report } = await evaluateOnGpu(gpu, network, inputs, outputs, noJob);
  const results = resultsOf(new Map(), quantities);
  for (const [name, field] of fields) {
    results[name] = await readInterleaved(gpu, field);
    field.buffer.release();
  }
  await inputs.release();
  return { results, kernels: report.kernelReports };
}

/** A field's planes as interleaved values, offsets added. */
export async function readInterleaved(gpu: GpuContext, field: GpuField): Promise<Float32Array> {
  const planes = await readF32(gpu, field.buffer);
  const { components, count, offsets } = field;
  return Float32Array.from(
    { length: count * components },
    (_, i) => planes[(i % components) * count + Math.floor(i / components)] + offsets[i % components],
  );
}
