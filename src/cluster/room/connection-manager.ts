import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import { FailureDetector, type FailureDetectorTiming } from "../membership/failure-detector.ts";
import { authenticateChannel } from "../membership/handshake.ts";
import type { RoomKey } from "../room-key.ts";
import type { LinkEnd } from "../transport/link.ts";
import {
  type Addresses,
  type Transport,
  transportsTo,
  type UnauthenticatedConnection,
} from "../transport/transport.ts";
import type { RoomBounds } from "./limits.ts";
import { Peer } from "./peer.ts";
import type { RoomMessage } from "./room-message.ts";
import { probeSuspect } from "./suspicion.ts";

export interface ConnectionManagerOptions {
  readonly key: RoomKey;
  /** This member's id. */
  readonly id: string;
  readonly transports: readonly Transport[];
  readonly clock: Clock;
  readonly timing: FailureDetectorTiming;
  readonly limits: RoomBounds;
  /** Called for every message except those that measure round trips. */
  onMessage(peer: Peer, message: RoomMessage): void;
  /** By then, peers that were not members have been removed from `peers`. */
  onDisconnect(peer: Peer, end: LinkEnd): void;
}

/** Milliseconds between measurements of round trips. */
const pingIntervalMs = 2000;

/**
 * The connections to all other peers: dialled or accepted, authenticated with the room's key, and
 * monitored.
 */
export class ConnectionManager {
  /** By id. */
  readonly peers = new Map<string, Peer>();
  readonly #options: ConnectionManagerOptions;
  /** Monitors those that are not members yet. */
  readonly #detector: FailureDetector<Peer>;
  hasEnded = false;
  #stopPing = () => {};

  constructor(options: ConnectionManagerOptions) {
    this.#options = options;
    this.#detector = new FailureDetector(options.clock, options.timing);
    for (const transport of options.transports)
      transport.listen((connection) => void this.accept(connection));
    this.#ping();
  }

  /** Handles an incoming connection. */
  async accept({ channel, binding, packetsReceived }: UnauthenticatedConnection): Promise<void> {
    const { key, id, clock, limits } = this.#options;
    const unadmitted = [...this.peers.values()].filter(({ stage }) => stage === "authenticated");
    if (this.hasEnded || unadmitted.length >= limits.unadmittedConnections) {
      channel.close();
      return;
    }
    try {
      const proven = await authenticateChannel(channel, { key, isDialler: false, name: id, binding, clock });
      if (this.hasEnded || this.peers.has(proven.name) || proven.name === id) proven.channel.close();
      else {
        const peer = this.#add(proven.name, { channel: proven.channel, packetsReceived });
        peer.setDeadline(limits.askMs, () => peer.demux.close("The peer did not say what it wants."));
      }
    } catch (error) {
      if (!(error instanceof CrinkleError)) throw error;
    }
  }

  /**
   * Connects to whoever is at these addresses, or only to the peer with the id `expectedId`. Rejects if that is
   * not possible.
   */
  async dial(addresses: Addresses, expectedId?: string): Promise<Peer> {
    const { key, id, clock, transports } = this.#options;
    let last: unknown;
    for (const transport of transportsTo(transports, addresses)) {
      try {
        const { channel, binding, packetsReceived } = await transport.dial(addresses[transport.path]);
        if (this.hasEnded) {
          channel.close();
          break;
        }
        const proven = await authenticateChannel(channel, { key, isDialler: true, name: id, binding, clock });
        const isExpected = (expectedId ?? proven.name) === proven.name && !this.peers.has(proven.name);
        if (isExpected && !this.hasEnded)
          return this.#add(proven.name, { channel: proven.channel, packetsReceived });
        proven.channel.close();
      } catch (error) {
        last = error;
      }
      if (this.hasEnded) break;
    }
    throw last ?? hostUnreachable();
  }

  /** An epoch has begun and monitors its members from now on; new members get the welcome. */
  setMembers(ids: readonly string[], welcome: RoomMessage | undefined): void {
    for (const peer of this.peers.values()) {
      const isIn = ids.includes(peer.id);
      if (isIn && peer.stage !== "member") {
        peer.advance("member");
        this.#detector.remove(peer);
        if (welcome) peer.send(welcome);
      } else if (!isIn && peer.stage === "member") this.peers.delete(peer.id);
    }
  }

  /** Follows up a hint that a member may be gone: calls `gone` unless the member shows a sign of life. */
  suspect(id: string, gone: () => void): void {
    const peer = this.peers.get(id);
    if (peer?.stage === "member") probeSuspect(peer, this.#options.clock, gone);
  }

  end(): void {
    this.hasEnded = true;
    this.#stopPing();
    this.#detector.stop();
    for (const peer of this.peers.values()) peer.demux.close("The rank has left.");
    for (const transport of this.#options.transports) transport.close();
  }

  #add(id: string, connection: Pick<UnauthenticatedConnection, "channel" | "packetsReceived">): Peer {
    const { clock, limits } = this.#options;
    const peer = new Peer(id, connection, limits, clock, {
      onMessage: (peer, message) => this.#onMessage(peer, message),
      ended: (peer, end) => this.#onDisconnect(peer, end),
    });
    this.peers.set(id, peer);
    this.#detector.add(peer, {
      lastReceivedAt: () => peer.link.lastReceivedAt,
      sendHeartbeat: () => peer.ping(),
      onTimeout: () => peer.demux.close("The other side has been silent for too long."),
    });
    peer.demux.open();
    return peer;
  }

  #onMessage(peer: Peer, message: RoomMessage): void {
    if (message.type === "ping") peer.send({ type: "pong", at: message.at });
    else if (message.type === "pong") peer.roundTripMs = this.#options.clock.now() - message.at;
    else this.#options.onMessage(peer, message);
  }

  #onDisconnect(peer: Peer, end: LinkEnd): void {
    this.#detector.remove(peer);
    if (this.peers.get(peer.id) === peer && peer.stage !== "member") this.peers.delete(peer.id);
    this.#options.onDisconnect(peer, end);
  }

  #ping(): void {
    const { clock } = this.#options;
    this.#stopPing = clock.after(pingIntervalMs, () => {
      for (const peer of this.peers.values()) {
        if (peer.stage === "member") peer.ping();
      }
      this.#ping();
    });
  }
}

export const hostUnreachable = (): CrinkleError =>
  new CrinkleError({
    tag: "Unreachable",
    problem: "The room's host cannot be reached.",
    remedy: "Check that its page is open and that both machines can reach the server in the link.",
  });
