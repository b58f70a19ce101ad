import type { RankCommunicator } from "../../distributed/exchange.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** A communicator whose collectives a watch measures. */
export const timed = (communicator: RankCommunicator, watch: Stopwatch): RankCommunicator => ({
  rank: communicator.rank,
  size: communicator.size,
  allgather: (data) => watch.time("communicate", () => communicator.allgather(data)),
  alltoall: (parts) => watch.time("communicate", () => communicator.alltoall(parts)),
  reduceScatter: (data, counts, operator) =>
    watch.time("communicate", () => communicator.reduceScatter(data, counts, operator)),
  revoke: () => communicator.revoke(),
});
