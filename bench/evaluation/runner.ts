import { runReference } from "../../src/bench/reference/run.ts";
import type { DataSet } from "../../src/core/field.ts";
import { noJob } from "../../src/core/job.ts";
import type { RunCost } from "../../src/core/run-cost.ts";
import type { GpuContext } from "../../src/gpu/device/context.ts";
import { compile } from "../../src/lang/expression/compile.ts";
import { planRun, runNetwork } from "../../src/lang/expression/execute/gpu/run.ts";
import type { Network } from "../../src/lang/expression/network/network.ts";
import type { StrategyName } from "../../src/lang/expression/plan/strategies.ts";
import type { Expression } from "./expressions.ts";
import type { Way } from "./measurement.ts";

/** Computes one output of a network on the CPU. */
export type CpuRun = (network: Network, dataSet: DataSet, output: string) => Promise<Float32Array>;

/** Bytes a cell that streaming may hold, a quarter of what fusion does: it is for what does not fit. */
const streamedBytes = 4;

/** Share of the largest value that two ways may differ by. */
const tolerance = 1e-4;

interface Run {
  readonly values: Float32Array;
  readonly ms: number;
}

/** Runs expressions of cell-centred u, v and w in any way. */
export class Runner {
  readonly #gpu: GpuContext;
  readonly #small: DataSet;
  readonly #budget: number;
  readonly #onCpu: CpuRun;
  readonly #warmed = new Set<string>();
  /** What the first way gave on the small grid. */
  readonly #expected = new Map<Expression, { readonly way: Way; readonly values: Float32Array }>();

  constructor(gpu: GpuContext, small: DataSet, budget: number, onCpu: CpuRun) {
    this.#gpu = gpu;
    this.#small = small;
    this.#budget = budget;
    this.#onCpu = onCpu;
  }

  /** What a run would move and hold on the GPU; undefined where no budget would do. */
  cost({ text }: Expression, way: Way, dataSet: DataSet): RunCost | undefined {
    if (way === "cpu") return undefined;
    const { network, output } = compiled(text, dataSet);
    const most = way === "streamed" ? this.#allowed(way, dataSet) : undefined;
    try {
      return planRun(this.#gpu, network, dataSet, [output], planned(way), most).cost;
    } catch {
      return undefined;
    }
  }

  /** Milliseconds of a run. Throws TooLarge and OutOfMemory. */
  async run(expression: Expression, way: Way, dataSet: DataSet): Promise<number> {
    return (await this.#run(expression, way, dataSet)).ms;
  }

  async #run({ text, reference }: Expression, way: Way, dataSet: DataSet): Promise<Run> {
    const { network, output } = compiled(text, dataSet);
    if (way === "cpu") {
      const start = performance.now();
      const values = await this.#onCpu(network, dataSet, output);
      return { values, ms: performance.now() - start };
    }
    if (way === "hand-written") {
      planRun(this.#gpu, network, dataSet, [output], planned(way), this.#budget);
      return runReference(this.#gpu, reference, dataSet);
    }
    const options = { strategy: way, budget: this.#allowed(way, dataSet) };
    const { fields, report } = await runNetwork(this.#gpu, network, dataSet, [output], noJob, options);
    return { values: fields.get(output)?.data as Float32Array, ms: report.ms };
  }

  /** A first run on the small grid, held against the other ways'. Throws where they differ. */
  async warm(expression: Expression, way: Way): Promise<void> {
    const key = `${expression.name} ${way}`;
    if (this.#warmed.has(key)) return;
    this.#warmed.add(key);
    const { values } = await this.#run(expression, way, this.#small);
    const expected = this.#expected.get(expression) ?? { way, values };
    this.#expected.set(expression, expected);
    let size = 0;
    let off = 0;
    for (const [i, value] of expected.values.entries()) {
      size = Math.max(size, Math.abs(value));
      off = Math.max(off, Math.abs(values[i] - value));
    }
    if (values.length === expected.values.length && off <= tolerance * size) return;
    throw new Error(`${expression.name}: ${way} and ${expected.way} differ by ${off} of ${size}.`);
  }

  #allowed(way: Way, { fields: [field] }: DataSet): number {
    return way === "streamed" ? Math.min(this.#budget, streamedBytes * field.data.length) : this.#budget;
  }
}

/** A hand-written kernel holds and moves what fusion does. */
const planned = (way: Exclude<Way, "cpu">): StrategyName => (way === "hand-written" ? "fusion" : way);

function compiled(text: string, { fields }: DataSet): { network: Network; output: string } {
  const network = compile(text, fields);
  return { network, output: network.outputs[network.outputs.length - 1].name };
}
