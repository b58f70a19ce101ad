import type { Recorder } from "../compute/recorder.ts";
import type { View } from "../compute/view.ts";

/** Words between which parts of a buffer that a dispatch writes must begin: bindings may not overlap. */
const alignment = 64;
const aligned = (word: number): number => Math.ceil(word / alignment) * alignment;

/** Words that nobody needs yet, from which parts are taken; what does not fit is workspace. */
export class Room {
  readonly #recorder: Recorder;
  readonly #buffer: GPUBuffer;
  readonly #end: number;
  #next: number;

  constructor(recorder: Recorder, { buffer, offset, length }: View, words = 1) {
    this.#recorder = recorder;
    this.#buffer = buffer;
    this.#next = aligned(offset);
    this.#end = offset + length * words;
  }

  take(label: string, length: number): View {
    const offset = this.#next;
    if (offset + length > this.#end) {
      return { buffer: this.#recorder.workspace(`KD-tree: ${label}`, 4 * length), offset: 0, length };
    }
    this.#next = aligned(offset + length);
    return { buffer: this.#buffer, offset, length };
  }
}
