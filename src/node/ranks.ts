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
import { rankedCalls } from "./ranked-calls.ts";

/** Starts ranks on this machine. Throws Unreachable where one of them cannot be started. */
export const openRanks: typeof api.openRanks = async (options = {}) => {
  const { count = 2, device = "auto", data = ".", out, log = () => {} } = options;
  const { session, close } = await openLocalSession({ count, device, data, out, log });
  const calls = rankedCalls((job, request, { signal = noJob.signal, onLost }) => {
    const restarted = (lost: readonly string[]) => onLost?.(lost.length);
    return session.run(job, request, { ...noJob, signal, restarted });
  }, count);
  return {
    statistics: async (path, text, options = {}) => first(await calls.statistics(path, text, options)),
    writeField: async (path, text, out, options = {}) =>
      first(await calls.writeField(path, text, out, options)),
    surface: async (path, text, shape, options = {}) =>
      first(await calls.surface(path, text, shape, options)),
    writeSurface: async (path, text, shape, out, options = {}) =>
      first(await calls.writeSurface(path, text, shape, out, options)),
    neighbors: async (path, options) => first(await calls.neighbors(path, options)),
    close,
  };
};

/** This process is the first rank. */
function first<R>(result: R | undefined): R {
  if (result === undefined) throw new Error("The first rank has no result.");
  return result;
}
