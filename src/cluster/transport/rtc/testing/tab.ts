// A page that makes WebRTC connections for its worker, which is a rank; tests and benches control the
// worker through it.

import { pageSignalling } from "../options.ts";
import { startRtcProxyHost } from "../rtc-proxy-host.ts";
import type { FromRank, ToRank } from "./rank.ts";

export interface Tab {
  open(address: string): Promise<FromRank>;
  join(link: string): Promise<FromRank>;
  measure(address: string, bytes: number, count: number): Promise<FromRank>;
}

const worker = new Worker(new URL("./rank.ts", import.meta.url), { type: "module" });
const next = () =>
  new Promise<FromRank>((resolve) =>
    worker.addEventListener("message", ({ data }) => resolve(data), { once: true }),
  );
const order = (message: ToRank, transfer: Transferable[] = []) => {
  worker.postMessage(message, transfer);
  return next();
};

const signalling = pageSignalling(location.href);
const lent = () => {
  const { port1, port2 } = new MessageChannel();
  startRtcProxyHost(port1);
  return port2;
};

const tab: Tab = {
  open(address) {
    const port = lent();
    return order({ kind: "open", port, addresses: [address], signalling }, [port]);
  },
  join(link) {
    const port = lent();
    return order({ kind: "join", port, link, signalling }, [port]);
  },
  measure: (address, bytes, count) => order({ kind: "measure", address, bytes, count }),
};
Object.assign(window, { tab });
