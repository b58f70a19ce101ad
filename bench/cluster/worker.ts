// A rank in a browser: measures a path to another rank, or answers it.

import type { FrameChannel } from "../../src/cluster/transport/channel.ts";
import { FramedLink } from "../../src/cluster/transport/framed-link.ts";
import { defaultLimits, type Link } from "../../src/cluster/transport/link.ts";
import { PortChannel } from "../../src/cluster/transport/port/port-channel.ts";
import { rendezvous } from "../../src/cluster/transport/port/rendezvous.ts";
import type { SignallingOptions } from "../../src/cluster/transport/rtc/options.ts";
import { openProxiedRtc } from "../../src/cluster/transport/rtc/rtc-proxy-client.ts";
import { answer, measurePath, type PathMeasurement, type TrafficOptions } from "./traffic.ts";

export interface Part {
  /** What to measure, and how; without it, the rank answers. */
  readonly measure?: { readonly name: string; readonly traffic: TrafficOptions };
  /** Leads to the other side: a port, the broker's port, or one to a page that runs the WebRTC proxy. */
  readonly port: MessagePort;
  readonly meets?: { readonly room: string; readonly id: string };
  readonly rtc?: {
    readonly signalling: SignallingOptions;
    readonly address: string;
    readonly dials?: string;
  };
}

export type Outcome =
  | { readonly measured: PathMeasurement }
  | { readonly failed: string }
  /** Others can dial this rank now. */
  | { readonly isOpen: true };

declare const self: DedicatedWorkerGlobalScope;

async function play(channel: FrameChannel, { measure }: Part): Promise<void> {
  const link: Link = new FramedLink(channel, defaultLimits, () => performance.now());
  if (measure) tell({ measured: await measurePath(measure.name, link, measure.traffic) });
  else answer(link, () => {});
}

const tell = (outcome: Outcome) => self.postMessage(outcome);
const fail = (error: unknown) => tell({ failed: String(error) });

const start = (channel: FrameChannel, part: Part) => void play(channel, part).catch(fail);

async function overRtc({ signalling, address, dials }: NonNullable<Part["rtc"]>, part: Part): Promise<void> {
  const endpoint = await openProxiedRtc(part.port, {
    signalling,
    address,
    onConnection: ({ channel }) => start(channel, part),
  });
  if (dials === undefined) tell({ isOpen: true });
  else start((await endpoint.dial(dials)).channel, part);
}

self.onmessage = ({ data }: MessageEvent<Part>) => {
  const { port, meets, rtc } = data;
  if (rtc) overRtc(rtc, data).catch(fail);
  else if (!meets) start(new PortChannel(port), data);
  else {
    rendezvous({
      ...meets,
      broker: () => port,
      onPeer: (_, peer) => start(new PortChannel(peer), data),
      onGone: () => {},
      onBrokerLost: fail,
    }).catch(fail);
  }
};
