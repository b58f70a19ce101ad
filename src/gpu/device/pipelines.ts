import { CrinkleError } from "../../core/errors.ts";

/** A compute shader as data: what the cache is keyed by. */
export interface ShaderRecord {
  readonly label: string;
  readonly code: string;
  readonly entryPoint: string;
  readonly constants?: Readonly<Record<string, number>>;
}

/** Compiles each shader record once, asynchronously, and keeps the pipeline for the device's life. */
export class PipelineCache {
  readonly #device: GPUDevice;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  #compiling = 0;
  #since = 0;
  #compileMs = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  get count(): number {
    return this.#pipelines.size;
  }

  /** Milliseconds during which anything was compiled, up to the last time that nothing was left to compile. */
  get compileMs(): number {
    return this.#compileMs;
  }

  /** The pipeline of a record, with an automatic layout. Throws ShaderError that quotes the offending line. */
  get(record: ShaderRecord): Promise<GPUComputePipeline> {
    const key = JSON.stringify([record.code, record.entryPoint, record.constants ?? {}]);
    let pipeline = this.#pipelines.get(key);
    if (!pipeline) {
      pipeline = this.#compile(record);
      this.#pipelines.set(key, pipeline);
      pipeline.catch(() => this.#pipelines.delete(key));
    }
    return pipeline;
  }

  async #compile(record: ShaderRecord): Promise<GPUComputePipeline> {
    if (this.#compiling === 0) this.#since = performance.now();
    this.#compiling++;
    const module = this.#device.createShaderModule({ label: record.label, code: record.code });
    try {
      return await this.#device.createComputePipelineAsync({
        label: record.label,
        layout: "auto",
        compute: { module, entryPoint: record.entryPoint, constants: { ...record.constants } },
      });
    } catch (cause) {
      throw await shaderError(record, module, cause);
    } finally {
      this.#compiling--;
      if (this.#compiling === 0) this.#compileMs += performance.now() - this.#since;
    }
  }
}

async function shaderError(
  record: ShaderRecord,
  module: GPUShaderModule,
  cause: unknown,
): Promise<CrinkleError> {
  const { messages } = await module.getCompilationInfo();
  const first = messages.find((message) => message.type === "error");
  const line = first ? record.code.split("\n")[first.lineNum - 1] : undefined;
  return new CrinkleError({
    tag: "ShaderError",
    problem: first
      ? `The shader “${record.label}” does not compile: line ${first.lineNum}: ${first.message}\n  ${line?.trim() ?? ""}`
      : `The pipeline “${record.label}” cannot be created: ${String(cause)}`,
    remedy: "This is a fault of Crinkle or of the graphics driver; please report it.",
    cause,
  });
}
