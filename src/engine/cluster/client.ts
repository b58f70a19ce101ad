import { proxy, type Remote, transfer, wrap } from "comlink";
import { formatInvitation } from "../../cluster/room/invitation.ts";
import { makeRoomKey } from "../../cluster/room-key.ts";
import { openBroker } from "../../cluster/transport/port/open-broker.ts";
import { CrinkleError } from "../../core/errors.ts";
import type {
  ClusterMeasurement,
  RankApi,
  RankedStatistics,
  RankProgress,
  RankStart,
  RankState,
  RoomLimits,
} from "./api.ts";

export { makeMemberId } from "../../cluster/room/room.ts";

/** A rank of this page, seen from the page. */
export interface PageRank {
  readonly id: string;
  decide(id: string, admits: boolean): void;
  setApprovesAll(approves: boolean): void;
  setLimits(limits: RoomLimits): void;
  preapprove(id: string): Promise<void>;
  remove(id: string): void;
  measure(onProgress: (fraction: number) => void): Promise<ClusterMeasurement>;
  statistics(
    text: string,
    onLost: (names: readonly string[]) => void,
    onProgress: (progress: RankProgress) => void,
  ): Promise<RankedStatistics>;
  /** Leaves the room and ends the worker. */
  leave(): Promise<void>;
}

export interface RankEvents {
  onState(state: RankState): void;
  /** The worker's code could not be loaded, or it threw outside a call. */
  onCrash(reason: string): void;
}

/** The link of a room that is yet to be opened in the page at this address. */
export const makeInvitation = (page: string): string =>
  formatInvitation({ key: makeRoomKey(), at: { page: page.replace(/#.*$/, "") } });

/** Milliseconds for which a closing page waits while its rank says goodbye. */
const goodbyeMs = 100;

/** What a rank of the page runs in. */
interface RankHome {
  readonly remote: Remote<RankApi>;
  /** Rejects when it can run no more. */
  readonly failed: Promise<never>;
  end(): void;
}

/** Connects a port to an engine, which takes the calls of `RankApi` on it. */
export type ConnectEngine = (port: MessagePort) => Promise<void>;

async function inEngine(connect: ConnectEngine): Promise<RankHome> {
  const { port1, port2 } = new MessageChannel();
  await connect(port2);
  const remote = wrap<RankApi>(port1);
  // The page hears of a crash of its engine by itself.
  return { remote, failed: new Promise(() => {}), end: () => port1.close() };
}

function inWorker(onCrash: RankEvents["onCrash"]): RankHome {
  const worker = new Worker(new URL("./rank-worker.ts", import.meta.url), { type: "module", name: "rank" });
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const reason = event.message || "its code could not be loaded";
      onCrash(reason);
      reject(new CrinkleError({ tag: "Internal", problem: `The rank stopped: ${reason}.` }));
    });
  });
  return { remote: wrap<RankApi>(worker), failed, end: () => worker.terminate() };
}

/**
 * Makes the page's engine a rank, by `connect`, or starts a worker as another one; it opens or joins a room. Resolves as a member; rejects with a PlainError or a
 * CrinkleError, with Cancelled if the signal aborts first. This page makes the WebRTC connections, because
 * workers cannot.
 */
export async function startPageRank(
  start: RankStart,
  events: RankEvents,
  { signal, connect }: { signal?: AbortSignal; connect?: ConnectEngine } = {},
): Promise<PageRank> {
  if (!isSecureContext) throw insecure();
  const home = connect ? await inEngine(connect) : inWorker(events.onCrash);
  const { remote } = home;
  const { port1, port2 } = new MessageChannel();
  const { startRtcProxyHost } = await import("../../cluster/transport/rtc/rtc-proxy-host.ts");
  const endRtc = startRtcProxyHost(port1);
  const saidGoodbye = crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  // A worker that ends with its page may not get to read this message unless the page waits.
  const sayGoodbye = () => {
    void remote.leave();
    const until = performance.now() + goodbyeMs;
    while (performance.now() < until) if (saidGoodbye && Atomics.load(saidGoodbye, 0) === 1) return;
    endRtc();
  };
  addEventListener("pagehide", sayGoodbye);
  const end = () => {
    removeEventListener("pagehide", sayGoodbye);
    home.end();
    endRtc();
  };
  const cancelled = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () =>
      reject(new CrinkleError({ tag: "Cancelled", problem: "Joining was cancelled." })),
    );
  });
  for (const end of [home.failed, cancelled]) end.catch(() => {});
  const broker = () => {
    const port = openBroker();
    return Promise.resolve(transfer(port, [port]));
  };
  try {
    const doors = transfer({ rtc: port2, saidGoodbye }, [port2]);
    await Promise.race([
      home.failed,
      cancelled,
      remote.start(start, doors, proxy(broker), proxy(events.onState)),
    ]);
  } catch (error) {
    end();
    throw error;
  }
  return {
    id: start.id,
    decide: (id, admits) => void remote.decide(id, admits),
    setApprovesAll: (approves) => void remote.setApprovesAll(approves),
    setLimits: (limits) => void remote.setLimits(limits),
    preapprove: (id) => remote.preapprove(id),
    remove: (id) => void remote.remove(id),
    measure: (onProgress) => remote.measure(proxy(onProgress)),
    statistics: (text, onLost, onProgress) => remote.statistics(text, proxy(onLost), proxy(onProgress)),
    leave: async () => {
      await remote.leave();
      end();
    },
  };
}

const insecure = () =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "Ranks need a page that was served over HTTPS or from this machine.",
    remedy: "Start Crinkle with npm start -- --lan and open the https: address that it prints.",
  });
