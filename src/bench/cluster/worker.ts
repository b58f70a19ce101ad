// A rank in a browser: measures a path to another, or answers it.
import { FramedLink } from "../../cluster/transport/framed-link.ts";
import { defaultLimits, type Link } from "../../cluster/transport/link.ts";
import { meet } from "../../cluster/transport/port/meet.ts";
import { PortChannel } from "../../cluster/transport/port/port-channel.ts";
import { answer, measurePath, type PathMeasurement, type TrafficOptions } from "./traffic.ts";

export interface Part {
  /** What is measured, and how; who has none answers. */
  readonly measure?: { readonly name: string; readonly traffic: TrafficOptions };
  /** The way to the other side: a port, or the broker's. */
  readonly port: MessagePort;
  readonly meets?: { readonly room: string; readonly id: string };
}

export type Outcome = { readonly measured: PathMeasurement } | { readonly failed: string };

declare const self: DedicatedWorkerGlobalScope;

async function play(port: MessagePort, { measure }: Part): Promise<void> {
  const link: Link = new FramedLink(new PortChannel(port), defaultLimits, () => performance.now());
  if (measure) tell({ measured: await measurePath(measure.name, link, measure.traffic) });
  else answer(link, () => {});
}

const tell = (outcome: Outcome) => self.postMessage(outcome);
const fail = (error: unknown) => tell({ failed: String(error) });

self.onmessage = ({ data }: MessageEvent<Part>) => {
  const { port, meets } = data;
  if (!meets) {
    play(port, data).catch(fail);
    return;
  }
  meet({
    ...meets,
    broker: () => port,
    onPeer: (_, peer) => play(peer, data).catch(fail),
    onGone: () => {},
    onAlone: fail,
  }).catch(fail);
};
