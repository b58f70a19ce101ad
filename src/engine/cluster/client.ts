import { proxy, transfer, wrap } from "comlink";
import { openBroker } from "../../cluster/transport/port/open-broker.ts";
import type { RankApi, RankStart, RankState } from "./api.ts";

/** A rank of this page, seen from the page. */
export interface PageRank {
  readonly id: string;
  decide(id: string, admits: boolean): void;
  setApprovesAll(approves: boolean): void;
  expect(id: string): void;
  remove(id: string): void;
  measure(): ReturnType<RankApi["measure"]>;
  /** Leaves the room and ends the worker. */
  leave(): Promise<void>;
}

/**
 * Starts a worker that opens or joins a room. Resolves as a member; rejects with a PlainError. WebRTC connections, which
 * workers cannot make, are lent by this page.
 */
export async function startPageRank(
  start: RankStart,
  onState: (state: RankState) => void,
  onCrash: (reason: string) => void,
): Promise<PageRank> {
  const worker = new Worker(new URL("./rank-worker.ts", import.meta.url), { type: "module", name: "rank" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onCrash(event.message || "its code could not be loaded");
  });
  const remote = wrap<RankApi>(worker);
  const { port1, port2 } = new MessageChannel();
  const { lendRtc } = await import("../../cluster/transport/rtc/lend.ts");
  const endRtc = lendRtc(port1);
  const broker = () => {
    const port = openBroker();
    return Promise.resolve(transfer(port, [port]));
  };
  const end = () => {
    worker.terminate();
    endRtc();
  };
  try {
    const doors = transfer({ rtc: port2, broker: proxy(broker) }, [port2]);
    await remote.start(start, doors as never, proxy(onState));
  } catch (error) {
    end();
    throw error;
  }
  return {
    id: start.id,
    decide: (id, admits) => void remote.decide(id, admits),
    setApprovesAll: (approves) => void remote.setApprovesAll(approves),
    expect: (id) => void remote.expect(id),
    remove: (id) => void remote.remove(id),
    measure: () => remote.measure(),
    leave: async () => {
      await remote.leave();
      end();
    },
  };
}
