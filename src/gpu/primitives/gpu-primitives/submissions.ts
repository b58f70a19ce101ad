import { CrinkleError } from "../../../core/errors.ts";
import type { Recorder } from "../../compute/recorder.ts";
import type { Block } from "./blocks.ts";

/** What is submitted together. The device runs all of it, or nothing where a part of it is at fault. */
interface Submission {
  readonly written: Set<Block>;
  fault: CrinkleError | undefined;
}

const empty = (): Submission => ({ written: new Set(), fault: undefined });

/**
 * Submits recordings and follows what becomes of them, which is known a while later. Where one was refused, what it
 * and all that were recorded since would have written is lost, and the blocks know that.
 */
export class Submissions {
  readonly #recorder: Recorder;
  #current = empty();
  /** Submitted, the oldest first, and not known to be good. */
  #open: Submission[] = [];

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Says that what is being recorded writes these. */
  writes(blocks: readonly Block[]): void {
    for (const block of blocks) this.#current.written.add(block);
  }

  /**
   * Submits what was recorded, then does `also`, which is checked with it. `fault` is the reason why it was refused
   * (OutOfMemory, ShaderError), where it was; it waits for the GPU process, not for the GPU.
   */
  submit<T>(also: () => T): { readonly result: T; readonly fault: Promise<CrinkleError | undefined> } {
    const { device } = this.#recorder.gpu;
    const submission = this.#current;
    this.#current = empty();
    this.#open.push(submission);
    let fault: Promise<CrinkleError | undefined>;
    let result: T;
    device.pushErrorScope("out-of-memory");
    device.pushErrorScope("validation");
    try {
      this.#recorder.submit();
      result = also();
    } finally {
      let invalid: GPUError | null = null;
      device.popErrorScope().then(
        (error) => {
          invalid = error;
        },
        () => {},
      );
      fault = device.popErrorScope().then(
        (error) => this.#settle(submission, error ?? invalid),
        () => this.#settle(submission, null),
      );
    }
    return { result, fault };
  }

  #settle(submission: Submission, error: GPUError | null): CrinkleError | undefined {
    const refused = this.#recorder.memory.takeFault();
    this.#open = this.#open.filter((other) => other !== submission);
    if (error && !submission.fault) this.#lose(submission, refused ?? faultOf(error));
    return submission.fault;
  }

  #lose(submission: Submission, fault: CrinkleError): void {
    for (const lost of [submission, ...this.#open, this.#current]) {
      lost.fault = fault;
      for (const block of lost.written) block.lose(fault);
    }
    this.#recorder.reset();
    this.#current = empty();
  }
}

const faultOf = (error: GPUError): CrinkleError =>
  error instanceof GPUOutOfMemoryError
    ? new CrinkleError({
        tag: "OutOfMemory",
        problem: `A recording of primitives does not fit in GPU memory: ${error.message}.`,
        remedy: "Release vectors, or work on parts of them.",
      })
    : new CrinkleError({
        tag: "ShaderError",
        problem: `A recording of primitives was refused by the GPU: ${error.message}`,
        remedy: "This is a fault of Crinkle; please report it.",
      });
