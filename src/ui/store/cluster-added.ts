import type { RankStart, RankState, RoomLimits } from "../../engine/cluster/api.ts";
import type { PageRank, RankEvents } from "../../engine/cluster/client.ts";

/** The ranks of a page besides its own. */
export interface AddedRanks {
  /** Resolves as a member, or without one if all were ended meanwhile. */
  add(start: RankStart): Promise<void>;
  setLimits(limits: RoomLimits): void;
  /** All of them leave. */
  end(): void;
}

/** `changed` is called with their ids whenever those change. */
export function createAddedRanks(
  startRank: (start: RankStart, events: RankEvents) => Promise<PageRank>,
  changed: (ids: readonly string[]) => void,
): AddedRanks {
  const ranks = new Map<string, PageRank>();
  let generation = 0;
  const drop = (id: string) => {
    const rank = ranks.get(id);
    if (!ranks.delete(id)) return;
    void rank?.leave().catch(() => {});
    changed([...ranks.keys()]);
  };
  return {
    async add(start) {
      const own = generation;
      const onState = ({ phase }: RankState) => {
        if (phase === "left") drop(start.id);
      };
      const rank = await startRank(start, { onState, onCrash: () => drop(start.id) });
      ranks.set(start.id, rank);
      if (own === generation) changed([...ranks.keys()]);
      else drop(start.id);
    },
    setLimits(limits) {
      for (const rank of ranks.values()) rank.setLimits(limits);
    },
    end() {
      generation++;
      for (const rank of ranks.values()) void rank.leave().catch(() => {});
      ranks.clear();
    },
  };
}
