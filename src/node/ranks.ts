export {
  all,
  around,
  createDistributedPrimitives,
  defineKernel,
  defineReduction,
  defineTally,
  joinRanks,
  operators,
  own,
  reductions,
} from "./rank-programs.ts";

import { noJob } from "../core/job.ts";
import type * as api from "../embed/ranks.ts";
import { openLocalSession } from "./rank/local-session.ts";
import { rankedCalls, warning } from "./ranked-calls.ts";

/** Starts ranks on this machine. Throws Unreachable where one of them cannot be started. */
export const openRanks: typeof api.openRanks = async (options = {}) => {
  const { count = 2, device = "auto", data = ".", out, log = () => {} } = options;
  const { run, close } = await openLocalSession({ count, device, data, out, log });
  const calls = rankedCalls((job, request, { signal = noJob.signal, onLost, onWarning, onProgress }) => {
    const restarted = (lost: readonly string[]) => onLost?.(lost.length);
    const progress = (fraction: number) => onProgress?.(fraction);
    return run(job, request, { signal, progress, restarted, warn: warning(onWarning) });
  }, count);
  return {
    statistics: async (path, text, options = {}) => ofFirstRank(await calls.statistics(path, text, options)),
    writeField: async (path, text, out, options = {}) =>
      ofFirstRank(await calls.writeField(path, text, out, options)),
    surface: async (path, text, shape, options = {}) =>
      ofFirstRank(await calls.surface(path, text, shape, options)),
    writeSurface: async (path, text, shape, out, options = {}) =>
      ofFirstRank(await calls.writeSurface(path, text, shape, out, options)),
    neighbors: async (path, options) => ofFirstRank(await calls.neighbors(path, options)),
    transform: async (path, text, out, options = {}) =>
      ofFirstRank(await calls.transform(path, text, out, options)),
    simulate: async (model, options) => ofFirstRank(await calls.simulate(model, options)),
    vary: async (model, options) => ofFirstRank(await calls.vary(model, options)),
    close,
  };
};

/** A job's result on the first rank, which has one. */
export function ofFirstRank<R>(result: R | undefined): R {
  if (result === undefined) throw new Error("The first rank has no result.");
  return result;
}
