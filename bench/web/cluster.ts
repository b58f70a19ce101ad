// The pages' side of the transports' bench; `bench/cluster.ts` drives it.

import { openBroker } from "../../src/cluster/transport/port/open-broker.ts";
import { pageSignalling } from "../../src/cluster/transport/rtc/options.ts";
import { startRtcProxyHost } from "../../src/cluster/transport/rtc/rtc-proxy-host.ts";
import type { PathMeasurement, TrafficOptions } from "../cluster/traffic.ts";
import type { Outcome, Part } from "../cluster/worker.ts";

export interface ClusterPage {
  /** Between two workers of this page. */
  betweenWorkers(name: string, traffic: TrafficOptions): Promise<PathMeasurement>;
  /** Answers whoever measures in a room, from a worker of this page. */
  answer(room: string): void;
  /** From a worker of this page to one of the answering page. */
  betweenPages(room: string, name: string, traffic: TrafficOptions): Promise<PathMeasurement>;
  /** Answers whoever measures over WebRTC, from a worker of this page; resolves when it can be dialled. */
  answerRtc(address: string): Promise<void>;
  /** From a worker of this page, over WebRTC, to one of the answering page. */
  overRtc(address: string, name: string, traffic: TrafficOptions): Promise<PathMeasurement>;
}

function play(part: Part): Promise<Outcome> {
  const worker = new Worker(new URL("../cluster/worker.ts", import.meta.url), {
    type: "module",
  });
  worker.postMessage(part, [part.port]);
  return new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => {
      if ("measured" in data) worker.terminate();
      if ("failed" in data) reject(new Error(data.failed));
      else resolve(data);
    };
  });
}

async function start(part: Part): Promise<PathMeasurement> {
  const outcome = await play(part);
  if ("measured" in outcome) return outcome.measured;
  throw new Error("Nothing was measured.");
}

/** A worker's port to WebRTC connections, which this page makes. */
function lent(address: string, dials?: string): Pick<Part, "port" | "rtc"> {
  const { port1, port2 } = new MessageChannel();
  startRtcProxyHost(port1);
  return { port: port2, rtc: { address, dials, signalling: pageSignalling(location.href) } };
}

const page: ClusterPage = {
  betweenWorkers(name, traffic) {
    const { port1, port2 } = new MessageChannel();
    void start({ port: port2 });
    return start({ port: port1, measure: { name, traffic } });
  },
  answer(room) {
    void start({ port: openBroker(), meets: { room, id: "answers" } });
  },
  betweenPages(room, name, traffic) {
    return start({ port: openBroker(), meets: { room, id: "measures" }, measure: { name, traffic } });
  },
  async answerRtc(address) {
    await play(lent(address));
  },
  overRtc: (address, name, traffic) =>
    start({ ...lent("bench-measures", address), measure: { name, traffic } }),
};

(globalThis as unknown as { clusterPage: ClusterPage }).clusterPage = page;
