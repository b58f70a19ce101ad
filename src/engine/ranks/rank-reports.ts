import type { Value } from "../../cluster/communicator/communicator.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { RankTimes } from "./stopwatch.ts";

/** What one rank did for a result. */
export interface RankReport {
  readonly rank: number;
  /** "NVIDIA H200", or "CPU". */
  readonly device: string;
  /** Its layers of cells along z, from the first to the one behind the last. */
  readonly layers: readonly [first: number, end: number];
  readonly ms: RankTimes;
  /** Of files, by the rank itself: its part of the fields and the header, or the whole of a file that has no parts. */
  readonly bytesRead: number;
}

/** All ranks' reports on rank 0, each with what that rank adds to it; undefined on the others. */
export async function gatherReports<T extends { readonly [name: string]: Value }>(
  { communicator, engine, data, watch }: RankedRun,
  more: T,
): Promise<readonly (RankReport & T)[] | undefined> {
  const { summary } = await engine.device();
  const { first, end } = data.layers;
  const report = {
    device: summary.description,
    layers: [first, end],
    ms: { ...watch.times },
    bytesRead: watch.bytesRead,
    ...more,
  };
  const reports = await communicator.gather<Value>(report);
  return reports?.map((each, rank) => ({ ...(each as unknown as RankReport & T), rank }));
}
