import { expect, it } from "vitest";
import type { CommunicatorError } from "../../cluster/communicator/errors.ts";
import type { MpiLibrary } from "./library.ts";
import { OpenedCalls } from "./opened-calls.ts";
import type { Requests } from "./requests.ts";

interface Gather {
  readonly own: Uint8Array;
  readonly all: Uint8Array;
  done(error?: Error): void;
}

/** The calls of ranks in this process, whose MPI_Iallgather is done when all ranks have called it. */
function makeRanks(size: number) {
  const gathers: Gather[][] = Array.from({ length: size }, () => []);
  let done = 0;
  const advance = () => {
    while (gathers.every((of) => of.length > done)) {
      const round = gathers.map((of) => of[done]);
      done++;
      for (const { all } of round) for (const [k, { own }] of round.entries()) all.set(own, k * own.length);
      for (const gather of round) gather.done();
    }
  };
  const ranks = gathers.map((own, rank) => {
    let given: Pick<Gather, "own" | "all">;
    const library = {
      abi: { world: 0, byte: 0 },
      rankIn: () => rank,
      sizeOf: () => size,
      dup: () => 0,
      call: {
        Iallgather(own: Uint8Array, _: number, __: number, all: Uint8Array) {
          given = { own: own.slice(), all };
          return 0;
        },
      },
    };
    const requests = {
      start(_: string, issue: (request: Int32Array) => number, __: unknown, done: Gather["done"]) {
        issue(new Int32Array(1));
        own.push({ ...given, done });
        queueMicrotask(advance);
      },
    };
    return OpenedCalls.ofWorld(library as unknown as MpiLibrary, requests as unknown as Requests);
  });
  return { ranks, counts: () => gathers.map((of) => of.length) };
}

it.each([
  [1, 0, 0],
  [0, 2, 5],
  [3, 3, 3],
])(
  "ranks that have opened %i, %i and %i calls have taken part in as many when they end",
  async (...opened) => {
    const { ranks, counts } = makeRanks(3);
    const shared = Math.min(...opened);
    const calls = ranks.flatMap((rank, k) =>
      Array.from({ length: opened[k] }, () => rank.open({ operation: "barrier", signature: 1 })),
    );
    for (const rank of ranks) rank.end();
    const ends = await Promise.allSettled(calls);
    const failed = ends.filter((end) => end.status === "rejected").map(({ reason }) => reason);
    expect(ends.length - failed.length).toBe(3 * shared);
    for (const error of failed) expect((error as CommunicatorError).tag).toBe("Revoked");
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(new Set(counts())).toEqual(new Set([Math.max(...opened) + 1]));
  },
);
