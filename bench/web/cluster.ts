// The pages' side of the transports' bench; `bench/cluster.ts` drives it.
import type { PathMeasurement, TrafficOptions } from "../../src/bench/cluster/traffic.ts";
import type { Outcome, Part } from "../../src/bench/cluster/worker.ts";
import { openBroker } from "../../src/cluster/transport/port/open-broker.ts";

export interface ClusterPage {
  /** Between two workers of this page. */
  betweenWorkers(name: string, traffic: TrafficOptions): Promise<PathMeasurement>;
  /** Answers whoever measures in a room, from a worker of this page. */
  answer(room: string): void;
  /** From a worker of this page to one of the page that answers. */
  betweenPages(room: string, name: string, traffic: TrafficOptions): Promise<PathMeasurement>;
}

function start(part: Part): Promise<PathMeasurement> {
  const worker = new Worker(new URL("../../src/bench/cluster/worker.ts", import.meta.url), {
    type: "module",
  });
  worker.postMessage(part, [part.port]);
  return new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => {
      worker.terminate();
      if ("measured" in data) resolve(data.measured);
      else reject(new Error(data.failed));
    };
  });
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
};

(globalThis as unknown as { clusterPage: ClusterPage }).clusterPage = page;
