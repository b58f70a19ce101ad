import { CrinkleError } from "../../core/errors.ts";
import { zeroCost } from "../../core/run-cost.ts";
import type { ClusterMember, RankedStatistics, RankStart, RankState } from "../../engine/cluster/api.ts";
import type { PageRank, RankEvents } from "../../engine/cluster/client.ts";

export function memberOf(id: string, change: Partial<ClusterMember> = {}): ClusterMember {
  return {
    id,
    about: { name: `Name of ${id}`, device: "Test 1", gpu: "Test GPU" },
    rank: 0,
    isSelf: false,
    isHost: false,
    isJoining: false,
    browser: "b",
    hasTcp: false,
    path: "port",
    roundTripMs: 1,
    sentBytes: 0,
    receivedBytes: 0,
    ...change,
  };
}

/** Alone in a room of its own, by default. */
export function stateOf(change: Partial<RankState> = {}): RankState {
  return {
    phase: "member",
    problem: undefined,
    isHost: true,
    epoch: 1,
    members: [memberOf("rank1", { isSelf: true, isHost: true, path: "" })],
    requests: [],
    isReachable: true,
    warning: undefined,
    notes: [],
    ...change,
  };
}

export interface FakeRank {
  readonly start: RankStart;
  readonly events: RankEvents;
  /** Lets the start resolve, or reject. */
  readonly enter: (state?: RankState) => void;
  readonly refuse: (error: unknown) => void;
}

const statistics: RankedStatistics = {
  results: [
    {
      name: "q",
      value: {
        kind: "field",
        components: 1,
        centering: "node",
        statistics: { min: -1, max: 3, mean: 0.5, nan: 0, infinite: 0, count: 64 },
      },
    },
  ],
  origin: "read by each rank",
  ranks: [
    {
      rank: 0,
      device: "CPU",
      block: [
        [0, 3],
        [0, 3],
        [0, 3],
      ],
      share: 1,
      sent: 0,
      received: 0,
      messages: 0,
      bytesRead: 0,
      ...zeroCost,
      ms: { read: 1, compute: 2, pack: 0, send: 1, wait: 2 },
    },
  ],
  trace: [[{ activity: "compute", name: "q", start: 0, end: 2 }]],
  notes: [],
};

/** Ranks that join when the test says so, and record the calls they get. */
export class FakeRanks {
  readonly calls: string[] = [];
  readonly started: FakeRank[] = [];
  #made = 0;

  readonly load = async () => ({
    makeInvitation: (page: string) => `${page}#room=made`,
    makeMemberId: () => `rank${++this.#made}`,
    startPageRank: (
      start: RankStart,
      events: RankEvents,
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<PageRank> => {
      const { id } = start;
      const note = (call: string, ...details: readonly unknown[]) =>
        void this.calls.push([id, call, ...details].join(" "));
      const rank: PageRank = {
        id,
        decide: (who, admits) => note("decide", who, admits),
        setApprovesAll: (approves) => note("setApprovesAll", approves),
        setLimits: (limits) => note("setLimits", JSON.stringify(limits)),
        preapprove: async (who) => note("preapprove", who),
        remove: (who) => note("remove", who),
        measure: async (onProgress) => {
          onProgress(0.5);
          note("measure");
          return { links: [{ a: 0, b: 1, roundTripUs: 200, megabytesPerSecond: 500 }], allreduceMs: 3 };
        },
        statistics: async (text, onLost, onProgress) => {
          note("statistics", text);
          onProgress({ rank: 2, fraction: 0.5, step: "Computing" });
          onLost(["Ada"]);
          onProgress({ rank: 1, fraction: 0.25, step: "Computing" });
          return statistics;
        },
        leave: async () => note("leave"),
      };
      return new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () =>
          reject(new CrinkleError({ tag: "Cancelled", problem: "Joining was cancelled." })),
        );
        this.started.push({
          start,
          events,
          enter: (state = stateOf()) => {
            events.onState(state);
            resolve(rank);
          },
          refuse: reject,
        });
      });
    },
  });
}
