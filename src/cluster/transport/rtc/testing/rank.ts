// A worker that is a rank over WebRTC connections made by its page: it echoes messages on stream 1,
// confirms those on stream 2, and dials others to do the same; or it joins a room.
import { systemClock } from "../../../clock.ts";
import { parseInvitation } from "../../../room/invitation.ts";
import { makeMemberId } from "../../../room/room.ts";
import { roomIdOf } from "../../../room-key.ts";
import { ClusterSession } from "../../../session.ts";
import { check } from "../../../testing/check.ts";
import { FramedLink } from "../../framed-link.ts";
import { defaultLimits, type Link, type Message } from "../../link.ts";
import type { RtcConnection, RtcEndpoint } from "../endpoint.ts";
import type { SignallingOptions } from "../options.ts";
import { openProxiedRtc } from "../rtc-proxy-client.ts";
import { hostAddress, openRtcTransport } from "../rtc-transport.ts";

export type ToRank =
  | {
      readonly kind: "open";
      readonly port: MessagePort;
      readonly addresses: readonly string[];
      readonly signalling: SignallingOptions;
    }
  | {
      readonly kind: "join";
      readonly port: MessagePort;
      readonly link: string;
      readonly signalling: SignallingOptions;
    }
  /** Sends `count` messages of `bytes` to the peer with the address. */
  | { readonly kind: "measure"; readonly address: string; readonly bytes: number; readonly count: number };

export type FromRank =
  | { readonly kind: "open" }
  | { readonly kind: "joined" }
  | { readonly kind: "ended"; readonly cause: string }
  | { readonly kind: "measured"; readonly seconds: number; readonly roundTripMs: number };

declare const self: DedicatedWorkerGlobalScope;

const tell = (message: FromRank) => self.postMessage(message);
const empty = new Uint8Array(0);
const last = Uint8Array.of(1);
let endpoint: RtcEndpoint;

function linkOver({ channel }: RtcConnection, message: (message: Message, link: Link) => void): Link {
  const link = new FramedLink(channel, defaultLimits, () => performance.now());
  link.start({
    message: (received) => message(received, link),
    ended: ({ cause }) => {
      if (cause !== "closed") tell({ kind: "ended", cause });
    },
  });
  return link;
}

function answer(message: Message, link: Link): void {
  if (message.stream === 1) void link.send(message).catch(() => {});
  else if (message.head.length > 0) void link.send({ stream: 2, head: last, body: empty });
}

async function measure(address: string, bytes: number, count: number): Promise<FromRank> {
  let heard = () => {};
  const link = linkOver(await endpoint.dial(address), () => heard());
  const reply = () => new Promise<void>((resolve) => (heard = resolve));
  const roundTrips: number[] = [];
  for (let k = 0; k < 20; k++) {
    const from = performance.now();
    const back = reply();
    void link.send({ stream: 1, head: empty, body: empty });
    await back;
    roundTrips.push(performance.now() - from);
  }
  const body = new Uint8Array(bytes);
  const from = performance.now();
  const taken = reply();
  for (let k = 1; k <= count; k++) void link.send({ stream: 2, head: k === count ? last : empty, body });
  await taken;
  const seconds = (performance.now() - from) / 1000;
  link.close("measured");
  return { kind: "measured", seconds, roundTripMs: roundTrips.toSorted((a, b) => a - b)[10] };
}

/** A member of a room, over WebRTC alone. */
async function join({ port, link, signalling }: Extract<ToRank, { kind: "join" }>): Promise<FromRank> {
  const { key } = parseInvitation(link);
  const room = await roomIdOf(key);
  const id = makeMemberId();
  const transport = await openRtcTransport({
    room,
    memberId: id,
    signalling,
    open: (options) => openProxiedRtc(port, options),
  });
  const about = { name: id, device: "a tab", gpu: "none" };
  const options = {
    key,
    id,
    about,
    transports: [transport],
    clock: systemClock,
    engine: undefined,
    jobs: [check],
  };
  await ClusterSession.start(options, [{ rtc: hostAddress(room) }]);
  return { kind: "joined" };
}

self.onmessage = async ({ data }: MessageEvent<ToRank>) => {
  if (data.kind === "measure") tell(await measure(data.address, data.bytes, data.count));
  else if (data.kind === "join") tell(await join(data));
  else {
    const { port, addresses, signalling } = data;
    const onConnection = (connection: RtcConnection) => void linkOver(connection, answer);
    for (const address of addresses)
      endpoint = await openProxiedRtc(port, { address, signalling, onConnection });
    tell({ kind: "open" });
  }
};
