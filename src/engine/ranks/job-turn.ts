import type { JobCall } from "../../cluster/jobs/service.ts";
import { cancelled } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { RankEngine } from "./rank-engine.ts";

/**
 * Runs a rank's part of a job when it is its turn there. It ends at once where the job ends on another rank or its person
 * cancels it, who may be waiting for messages of ranks that still compute.
 */
export function takeTurn<T>(
  { communicator, engine, context }: JobCall<RankEngine>,
  title: string,
  work: (job: JobContext) => Promise<T>,
): Promise<T> {
  return engine.runPart(title, communicator.rank === 0, async ({ signal, progress }) => {
    const cancel = () => communicator.revoke();
    signal.addEventListener("abort", cancel, { once: true });
    const job: JobContext = {
      signal: AbortSignal.any([context.signal, signal]),
      progress(fraction, step) {
        progress(fraction, step);
        context.progress(fraction, step);
      },
      warn: context.warn,
    };
    try {
      return await work(job);
    } catch (error) {
      throw signal.aborted ? cancelled(title) : error;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  });
}
