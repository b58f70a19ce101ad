import type { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import { carryWords } from "../scan/carry.ts";

/** Where a chunk of a scan finds what the one before left, and where it leaves the same. */
export interface Carries {
  readonly carried: View;
  readonly carry: View;
}

/** Those of the kth chunk in the order of the scan: two places that take turns, of which the first holds nothing yet. */
export function carriesOf(recorder: Recorder): (k: number) => Carries {
  const places = ["carried to even chunks", "carried to odd chunks"].map((label) => ({
    buffer: recorder.workspace(label, carryWords * 4),
    offset: 0,
    length: carryWords,
  }));
  recorder.encoder.clearBuffer(places[0].buffer, 0, carryWords * 4);
  return (k) => ({ carried: places[k % 2], carry: places[(k + 1) % 2] });
}
