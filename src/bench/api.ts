import type { PlainError } from "../core/errors.ts";
import type { BenchRow } from "./case.ts";

/** The bench of the page, which runs in a worker with a GPU device of its own. */
export interface BenchApi {
  /**
   * Runs every case, one after the other; `onEvent` (a Comlink proxy) hears of each. Rejects with a `PlainError` where
   * there is no GPU to measure.
   */
  run(request: BenchRequest, onEvent: (event: BenchEvent) => void): Promise<void>;
  /** Ends the run after the case that is being measured. */
  cancel(): void;
}

export interface BenchRequest {
  /** Elements that each primitive works on; each case's own choice for the adapter where it is left out. */
  readonly n: number | undefined;
  readonly group: BenchGroup;
}

/** Which of the primitives' cases are run. */
export type BenchGroup = "all" | "elements" | "scans" | "searches" | "sorts" | "short";

export type BenchEvent =
  | {
      readonly kind: "began";
      readonly machine: string;
      readonly isSoftware: boolean;
      readonly names: readonly string[];
    }
  | { readonly kind: "case"; readonly name: string; readonly index: number }
  | { readonly kind: "row"; readonly row: BenchRow }
  /** Shader pipelines of the run so far, and the time during which any of them was compiled. */
  | { readonly kind: "compiled"; readonly pipelines: number; readonly ms: number }
  /** A case that this device cannot run, such as one that takes more memory than there is. */
  | { readonly kind: "failed"; readonly name: string; readonly error: PlainError };
