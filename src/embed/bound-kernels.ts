import type { JobContext } from "../core/job.ts";
import type { Quantity } from "../core/quantity.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { PooledBuffer } from "../gpu/device/pool.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { evaluateOnGpu, prepareOnGpu } from "../lang/expression/execute/gpu/evaluate.ts";
import type { ResidentCost } from "../lang/expression/execute/gpu/resident.ts";
import type { Program } from "./program.ts";
import type { ResidentInputs, ResidentStrategy } from "./resident.ts";

/** Kernels bound to the buffers of some fields, with the outputs that they write. */
export interface Bound {
  readonly fields: ReadonlyMap<string, GpuField>;
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly kernels: number;
  compute(): Promise<void>;
  release(): void;
}

interface Binding extends Bound {
  readonly sources: readonly PooledBuffer[];
}

/** Fields that alternate between two buffers are bound twice; more come and go. */
const mostBound = 2;

/** A program's kernels on the fields of a loop, as they change their buffers. */
export class BoundKernels {
  readonly #gpu: GpuContext;
  readonly #program: Program;
  readonly #inputs: ResidentInputs;
  readonly #strategy: ResidentStrategy;
  readonly #cost: ResidentCost;
  readonly #memory: number;
  /** The one in use is last. */
  #bound: Binding[] = [];

  constructor(
    gpu: GpuContext,
    program: Program,
    inputs: ResidentInputs,
    strategy: ResidentStrategy,
    cost: ResidentCost,
    memory: number,
  ) {
    this.#gpu = gpu;
    this.#program = program;
    this.#inputs = inputs;
    this.#strategy = strategy;
    this.#cost = cost;
    this.#memory = memory;
  }

  get latest(): Bound {
    return this.#bound[this.#bound.length - 1];
  }

  /** The most bytes held at once, the fields' included. */
  get peakBytes(): number {
    const { peakBytes, tableBytes } = this.#cost;
    const n = this.#bound.length;
    return n * peakBytes - (n - 1) * tableBytes;
  }

  /** The kernels bound to these buffers: compiled and allocated only where they are new. */
  async on(sources: readonly PooledBuffer[], job: JobContext): Promise<Bound> {
    if (this.#cost.isMeasured) {
      this.release();
      this.#bound.push({ sources, ...(await this.#evaluated(job)) });
      return this.latest;
    }
    const known = this.#bound.findIndex((bound) =>
      bound.sources.every(
        ({ buffer, offset }, k) => buffer === sources[k].buffer && offset === sources[k].offset,
      ),
    );
    if (known >= 0) this.#bound.push(...this.#bound.splice(known, 1));
    else {
      while (this.#bound.length > 0 && !this.#fits(this.#bound.length + 1)) this.#bound.shift()?.release();
      this.#bound.push({ sources, ...(await this.#prepared(job)) });
    }
    return this.latest;
  }

  release(): void {
    for (const bound of this.#bound.splice(0)) bound.release();
  }

  #fits(count: number): boolean {
    return count <= mostBound && count * this.#cost.peakBytes <= this.#memory;
  }

  async #prepared(job: JobContext): Promise<Bound> {
    const gpu = this.#gpu;
    const { network, computed } = this.#program;
    const options = { job, strategy: this.#strategy };
    const evaluation = await prepareOnGpu(gpu, network, this.#inputs, computed, options);
    const label = computed.join(", ");
    return {
      fields: evaluation.fields,
      quantities: evaluation.quantities,
      kernels: evaluation.kernels.length,
      compute: () =>
        gpu.checked(`Computing ${label}`, () => {
          const encoder = gpu.device.createCommandEncoder({ label });
          const pass = encoder.beginComputePass({ label });
          evaluation.record(pass);
          pass.end();
          gpu.device.queue.submit([encoder.finish()]);
        }),
      release: () => evaluation.release(),
    };
  }

  /** Where kernels depend on values: compiled and run at once. */
  async #evaluated(job: JobContext): Promise<Bound> {
    const { network, computed } = this.#program;
    const options = { strategy: this.#strategy };
    const evaluation = await evaluateOnGpu(this.#gpu, network, this.#inputs, computed, job, options);
    const { fields, quantities } = evaluation;
    return {
      fields,
      quantities,
      kernels: this.#cost.kernels,
      compute: async () => {},
      release: () => {
        for (const { buffer } of fields.values()) buffer.release();
      },
    };
  }
}
