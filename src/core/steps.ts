import { checkCancelled, type JobContext, yieldToEventLoop } from "./job.ts";

/**
 * A long computation that can be left between two of its parts, each of which takes some milliseconds: whoever runs it may let
 * other events run there. It yields nothing.
 */
export type Steps<R> = Generator<undefined, R, undefined>;

/** How long a computation runs before other events are let in. */
const sliceMilliseconds = 30;

/** Items of a loop between two places where it may be left. */
const itemsPerStep = 1 << 16;

/** The ranges, one behind the other, in which a loop runs over so many items. */
export function* rangesOf(count: number): Iterable<readonly [first: number, end: number]> {
  for (let first = 0; first < count; first += itemsPerStep)
    yield [first, Math.min(count, first + itemsPerStep)];
}

/** Runs all of a computation at once. */
export function finished<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs a computation, and lets other events in every 30 ms. Throws Cancelled. */
export async function withPauses<R>(steps: Steps<R>, job: JobContext, what: string): Promise<R> {
  let resumed = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - resumed < sliceMilliseconds) continue;
    await yieldToEventLoop();
    checkCancelled(job, what);
    resumed = performance.now();
  }
}
