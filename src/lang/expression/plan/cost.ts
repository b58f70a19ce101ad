import { type RunCost, zeroCost } from "../../../core/run-cost.ts";

/** Counts what moves, runs and is held, as a plan predicts it or as a run does it. */
export class CostLedger {
  readonly #cost = { ...zeroCost };
  readonly #resident = new Set<string>();
  #held = 0;

  get cost(): RunCost {
    return { ...this.#cost };
  }

  /** An array is on the device from now on. */
  hold(bytes: number): void {
    this.#held += bytes;
    this.#cost.peakBytes = Math.max(this.#cost.peakBytes, this.#held);
  }

  free(bytes: number): void {
    this.#held -= bytes;
  }

  upload(bytes: number): void {
    this.#cost.uploads++;
    this.#cost.uploadedBytes += bytes;
  }

  download(bytes: number): void {
    this.#cost.downloads++;
    this.#cost.downloadedBytes += bytes;
  }

  dispatch(): void {
    this.#cost.kernels++;
  }

  /** A kernel reads an input that stays on the device: it counts once, and as sent where it was not present before. */
  readResident(key: string, bytes: number, wasPresent: boolean): void {
    if (this.#resident.has(key)) return;
    this.#resident.add(key);
    if (!wasPresent) this.upload(bytes);
    this.hold(bytes);
  }

  /** A run that frees all its arrays is done. */
  add(cost: RunCost): void {
    const own = this.#cost;
    own.uploads += cost.uploads;
    own.downloads += cost.downloads;
    own.kernels += cost.kernels;
    own.uploadedBytes += cost.uploadedBytes;
    own.downloadedBytes += cost.downloadedBytes;
    own.peakBytes = Math.max(own.peakBytes, this.#held + cost.peakBytes);
  }
}
