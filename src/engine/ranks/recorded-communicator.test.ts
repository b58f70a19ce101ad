import { describe, expect, it } from "vitest";
import { add } from "../../cluster/communicator/operators/elements.ts";
import { RecordedCommunicator } from "./recorded-communicator.ts";
import { Stopwatch } from "./stopwatch.ts";
import { onRanks } from "./testing/on-ranks.ts";

/** What each of three ranks counts for calls. */
async function counted(calls: (ranks: RecordedCommunicator) => Promise<unknown>): Promise<number[][]> {
  return onRanks(3, async (communicator) => {
    const watch = new Stopwatch("calls");
    await calls(new RecordedCommunicator(communicator, watch));
    watch.stop();
    const { sent, received, messages } = watch.traffic;
    return [sent, received, messages];
  });
}

const words = (count: number) => new Uint32Array(count);

describe("a recorded communicator", () => {
  it("counts what callers pass to other ranks and get from them", async () => {
    // Rank r passes r + 1 words.
    expect(await counted((ranks) => ranks.allgather(words(ranks.rank + 1)))).toEqual([
      [8, 20, 2],
      [16, 16, 2],
      [24, 12, 2],
    ]);
    expect(await counted((ranks) => ranks.alltoall([1, 2, 3].map(words)))).toEqual([
      [20, 8, 2],
      [16, 16, 2],
      [12, 24, 2],
    ]);
    expect(await counted((ranks) => ranks.bcast(ranks.rank === 1 ? words(5) : undefined, 1))).toEqual([
      [0, 20, 0],
      [40, 0, 2],
      [0, 20, 0],
    ]);
    expect(await counted((ranks) => ranks.gather(words(ranks.rank + 1)))).toEqual([
      [0, 20, 0],
      [8, 0, 1],
      [12, 0, 1],
    ]);
    expect(
      await counted((ranks) => ranks.scatter(ranks.rank === 0 ? [1, 2, 3].map(words) : undefined)),
    ).toEqual([
      [20, 0, 2],
      [0, 8, 0],
      [0, 12, 0],
    ]);
    expect(await counted((ranks) => ranks.barrier())).toEqual(Array(3).fill([0, 0, 0]));
  });

  it("counts a reduction as what a rank contributes and its result", async () => {
    const each = Array(3).fill([24, 24, 1]);
    expect(await counted((ranks) => ranks.allreduce(words(6), add))).toEqual(each);
    expect(await counted((ranks) => ranks.scan(words(6), add))).toEqual(each);
    expect(await counted((ranks) => ranks.reduceScatter(words(6), [3, 2, 1], add))).toEqual([
      [24, 12, 1],
      [24, 8, 1],
      [24, 4, 1],
    ]);
    expect(await counted((ranks) => ranks.reduce(words(6), add))).toEqual([
      [0, 24, 0],
      [24, 0, 1],
      [24, 0, 1],
    ]);
    expect(await counted((ranks) => ranks.exscan(words(6), add))).toEqual([[24, 0, 1], ...each.slice(1)]);
  });

  it("counts messages between two ranks, and values as JSON", async () => {
    const ring = (ranks: RecordedCommunicator) =>
      ranks.sendrecv((ranks.rank + 1) % 3, "four", (ranks.rank + 2) % 3);
    expect(await counted(ring)).toEqual(Array(3).fill([6, 6, 1]));
    const pair = async (ranks: RecordedCommunicator) => {
      if (ranks.rank === 0) await ranks.send(1, words(2));
      if (ranks.rank === 0) await ranks.isend(2, words(3)).done;
      if (ranks.rank === 1) await ranks.recvInto(words(4), 0);
      if (ranks.rank === 2) await ranks.irecv(0).done;
    };
    expect(await counted(pair)).toEqual([
      [20, 0, 2],
      [0, 8, 0],
      [0, 12, 0],
    ]);
  });

  it("records the time of a call that fails, and rejects with its error", async () => {
    const watch = new Stopwatch("calls");
    const [error] = await onRanks(1, async (communicator) => {
      const ranks = new RecordedCommunicator(communicator, watch);
      return ranks.bcast(undefined).catch((error: unknown) => error);
    });
    expect(error).toMatchObject({ tag: "BadArgument" });
    expect(watch.traffic.messages).toBe(0);
    watch.stop();
    expect(watch.spans.map(({ name }) => name)).toContain("bcast");
  });
});
