import { describe, it } from "vitest";
import type { Primitives } from "../../primitives.ts";
import { comparePrograms } from "../random-programs.ts";
import { describeDataMovement } from "./data-movement.ts";
import { describeEach } from "./each.ts";
import { describeElementwise } from "./elementwise.ts";
import { describeKernels } from "./kernels.ts";
import { describeLocating } from "./locating.ts";
import { describeReductions } from "./reductions.ts";
import { describeRefusals } from "./refusals.ts";
import { describeScans } from "./scans.ts";
import { describeSorted } from "./sorted.ts";
import { describeSorting } from "./sorting.ts";
import { type Make, subjectOf } from "./subject.ts";
import { describeViews } from "./views.ts";

/** Another implementation, and how many random programs are compared with it. */
export interface Comparison {
  readonly reference: Primitives;
  readonly programs: number;
}

/** All of the suite, or random programs alone, which call everything: where each strategy's kernels have tests of their own. */
export type Parts = "all" | "programs";

/**
 * The suite that every implementation of Primitives passes, through its interface alone; expected values are plain
 * JavaScript's. `sizes` are the lengths to try: those around the implementation's tile boundaries, and 0 and 1.
 */
export function describePrimitives(
  name: string,
  make: Make,
  sizes: readonly number[],
  comparison?: Comparison,
  parts: Parts = "all",
): void {
  describe(`primitives: ${name}`, () => {
    const subject = subjectOf(make, sizes);
    if (parts === "all") {
      describeScans(subject);
      describeDataMovement(subject);
      describeLocating(subject);
      describeSorted(subject);
      describeSorting(subject);
      describeElementwise(subject);
      describeKernels(subject);
      describeReductions(subject);
      describeEach(subject);
      describeViews(subject);
      describeRefusals(subject, make);
    }
    if (comparison) {
      const { reference, programs } = comparison;
      it(`does what ${reference.name} does, in random programs`, () =>
        comparePrograms(reference, subject.ranks(), { runs: programs }));
    }
  });
}
