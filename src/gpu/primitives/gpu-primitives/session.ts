import { CrinkleError } from "../../../core/errors.ts";
import { badArgument } from "../../../core/primitives/checks.ts";
import type { HostArray } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { type Block, Blocks } from "./blocks.ts";
import { CallSequencer } from "./call-sequencer.ts";
import type { Eventual } from "./eventual.ts";
import { Staging } from "./staging.ts";
import { Submissions } from "./submissions.ts";

/** Recordings that are collected at most: the GPU begins with them while more are made. */
const maxRecorded = 64;

/** One recording that grows until something is read, and the memory that it works in. */
export class Session {
  readonly gpu: GpuContext;
  /** How primitives that depend on it run on the device: asked for when one is compiled. */
  readonly strategy: () => Promise<PrimitiveStrategy>;
  readonly recorder: Recorder;
  readonly blocks: Blocks;
  readonly sequencer = new CallSequencer();
  /** Bytes that are bound as one. */
  readonly maxBinding: number;
  readonly #staging: Staging;
  readonly #submissions: Submissions;
  readonly #made = new Map<string, unknown>();
  #recorded = 0;
  #isDisposed = false;

  constructor(
    gpu: GpuContext,
    strategy: () => Promise<PrimitiveStrategy>,
    maxBinding = Number.POSITIVE_INFINITY,
  ) {
    this.gpu = gpu;
    this.strategy = strategy;
    this.recorder = new Recorder(gpu, "primitives");
    this.blocks = new Blocks(gpu, this.recorder.memory);
    this.maxBinding = Math.min(maxBinding, gpu.pool.largestBinding);
    this.#staging = new Staging(this.recorder.memory);
    this.#submissions = new Submissions(this.recorder);
  }

  /** BadArgument once it has been disposed of, DeviceLost where the GPU is gone. */
  checkAlive(what: string): void {
    if (this.#isDisposed) {
      throw badArgument(`${what} was asked of primitives that were disposed of.`, "Make new ones.");
    }
    if (this.gpu.isLost) {
      throw new CrinkleError({
        tag: "DeviceLost",
        problem: `${what} was asked of a GPU that was lost.`,
        remedy: "Open the device again and make new primitives on it.",
      });
    }
  }

  /** What `make` makes, once a key. */
  compiled<T>(key: string, make: () => Promise<T>): Eventual<T>;
  compiled(key: string, make: () => Promise<unknown>): unknown {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(key, made);
    made.then(
      (value) => this.#made.set(key, value),
      () => this.#made.delete(key),
    );
    return made;
  }

  /** Runs `body`, which encodes what writes these blocks; workspace that it takes is free for the next. */
  record(body: () => void, writes: readonly Block[]): void {
    this.checkAlive("A recording");
    this.#submissions.writes(writes);
    this.recorder.scratch(body);
    this.#recorded++;
    if (this.#recorded >= maxRecorded) this.flush();
  }

  /** Bytes that `trim` would give back. */
  get idleSize(): number {
    return this.recorder.size + this.blocks.freeSize + this.#staging.freeSize;
  }

  /** Submits what was recorded. Where the device refuses it, what it was to write is lost, and says so. */
  flush(): void {
    this.checkAlive("A submission");
    if (this.recorder.isRecording) this.#submit(() => undefined);
  }

  /**
   * Runs `body`, which encodes what writes these blocks and returns where elements are, and reads those: everything
   * recorded is submitted. Throws OutOfMemory or ShaderError where that was refused.
   */
  async read(
    body: () => View,
    components = 1,
    writes: readonly Block[] = [],
  ): Promise<Uint32Array<ArrayBuffer>> {
    this.checkAlive("A read-back");
    this.#submissions.writes(writes);
    const taken = this.recorder.scratch(() => this.#stage(body(), components));
    try {
      const { fault, result } = this.#submit(() => {
        const mapped = taken?.staging.buffer.mapAsync(GPUMapMode.READ, 0, taken.bytes);
        // The fault is known first where there is one: nobody would handle its rejection.
        mapped?.catch(() => {});
        return mapped;
      });
      await this.gpu.guard(allGood(fault, result));
    } catch (error) {
      taken?.staging.release();
      throw error;
    }
    const words = taken ? this.#staging.contents(taken.staging, taken.bytes) : new ArrayBuffer(0);
    this.checkAlive("A read-back");
    return new Uint32Array(words);
  }

  /** A block with these words. */
  upload(words: HostArray): Block {
    this.checkAlive("An upload");
    const block = this.blocks.take(words.length);
    // Writes happen before commands that are not submitted yet.
    if (this.blocks.isPending(block)) this.flush();
    const { buffer, byteOffset, byteLength } = words;
    const { queue } = this.gpu.device;
    this.recorder.memory.suppressingErrors(() =>
      queue.writeBuffer(block.memory.buffer, 0, buffer, byteOffset, byteLength),
    );
    this.gpu.countUpload(byteLength);
    return block;
  }

  /** Gives back the buffers for read-backs that only calls side by side need. */
  trimReadBacks(): void {
    this.#staging.trim(1);
  }

  /** Submits what was recorded, and gives the device back what nobody uses. */
  trim(): void {
    this.flush();
    this.blocks.trim();
    this.#staging.trim();
    this.recorder.reset();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.recorder.dispose();
    this.blocks.dispose();
    this.#staging.dispose();
    this.#made.clear();
  }

  #submit<T>(also: () => T) {
    const submitted = this.#submissions.submit(also);
    this.blocks.submitted();
    this.#recorded = 0;
    return submitted;
  }

  #stage({ buffer, offset, length }: View, components: number) {
    const bytes = length * components * 4;
    if (bytes === 0) return undefined;
    const staging = this.#staging.take(bytes);
    this.recorder.encoder.copyBufferToBuffer(buffer, offset * 4, staging.buffer, 0, bytes);
    this.gpu.countDownload(bytes);
    return { staging, bytes };
  }
}

/** Waits for what was submitted with a read-back. Throws why it was refused, where it was: that is known first. */
async function allGood(
  fault: Promise<CrinkleError | undefined>,
  mapped: Promise<undefined> | undefined,
): Promise<void> {
  const refused = await fault;
  if (refused) throw refused;
  await mapped;
}
