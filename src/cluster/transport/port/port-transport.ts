import { CrinkleError } from "../../../core/errors.ts";
import type { FrameChannel } from "../channel.ts";
import { noChannelBinding, type Transport, type UnauthenticatedConnection } from "../transport.ts";
import { PortChannel } from "./port-channel.ts";
import { type RendezvousOptions, rendezvous } from "./rendezvous.ts";

export interface PortTransportOptions extends Pick<RendezvousOptions, "room" | "broker" | "locks"> {
  /** This member's id. */
  readonly memberId: string;
  /** Identifies this browser: its ranks form a group. */
  readonly browser: string;
  /** A member's tab or worker has certainly ended. */
  onGone(member: string): void;
  /** Members that appear in this browser are no longer found. */
  onBrokerLost?(error: unknown): void;
}

interface PortPeer {
  readonly port: MessagePort;
  channel: PortChannel | undefined;
}

/**
 * A transport between members in tabs and workers of one browser, over message ports. Rejects with Refused
 * like `rendezvous`.
 */
export async function openPortTransport(options: PortTransportOptions): Promise<Transport> {
  const { room, broker, locks, memberId, browser, onGone, onBrokerLost = () => {} } = options;
  const peers = new Map<string, PortPeer>();
  let onConnection: ((connection: UnauthenticatedConnection) => void) | undefined;
  const early: UnauthenticatedConnection[] = [];
  const accept = (one: UnauthenticatedConnection) => {
    if (onConnection) onConnection(one);
    else early.push(one);
  };
  const membership = await rendezvous({
    room,
    id: memberId,
    broker,
    locks,
    onPeer: (id, port) => {
      const peer: PortPeer = { port, channel: undefined };
      peers.set(id, peer);
      // Whoever speaks first is the dialler; messages are kept until somebody listens.
      const messages: MessageEvent[] = [];
      port.onmessage = (event) => {
        messages.push(event);
        if (peer.channel) return;
        peer.channel = new PortChannel(port);
        accept({ channel: replaying(messages, peer.channel, port), binding: noChannelBinding });
      };
    },
    onGone: (id) => {
      peers.get(id)?.channel?.fail("Its tab or worker has ended.");
      peers.delete(id);
      onGone(id);
    },
    onBrokerLost,
  });
  return {
    path: "port",
    address: `${browser}/${memberId}`,
    canDial: (address) => peers.has(address.split("/")[1]),
    dial: async (address) => {
      const peer = peers.get(address.split("/")[1]);
      if (!peer || peer.channel) {
        throw new CrinkleError({ tag: "Unreachable", problem: "That rank is no longer in this browser." });
      }
      peer.channel = new PortChannel(peer.port);
      return { channel: peer.channel, binding: noChannelBinding };
    },
    listen: (to) => {
      onConnection = to;
      for (const one of early.splice(0)) to(one);
    },
    close: () => membership.leave(),
  };
}

/** The channel, starting with the messages that arrived before. */
function replaying(messages: MessageEvent[], channel: PortChannel, port: MessagePort): FrameChannel {
  return {
    path: channel.path,
    frameBytes: channel.frameBytes,
    start: (receiver) => {
      channel.start(receiver);
      for (const event of messages.splice(0)) port.onmessage?.(event);
    },
    post: (header, part) => channel.post(header, part),
    writable: () => channel.writable(),
    close: () => channel.close(),
  };
}
