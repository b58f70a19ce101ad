import type { Clock } from "../clock.ts";
import { FramedLink } from "../transport/framed-link.ts";
import type { Link, LinkEnd, LinkLimits } from "../transport/link.ts";
import type { Addresses, UnauthenticatedConnection } from "../transport/transport.ts";
import { LinkDemux } from "./link-demux.ts";
import { decodeRoomMessage, type MemberInfo, type RoomMessage } from "./room-message.ts";

/**
 * The progress of a peer: it has proved the key and not asked for anything (`authenticated`), waits for the
 * host's decision, was invited and links to the others, is linked to all, is linked to a member that is not
 * the host (`linked`), or belongs to the epoch.
 */
export type Stage = "authenticated" | "requesting" | "invited" | "meshed" | "linked" | "member";

/** Messages waiting to be sent. */
const maxUnsent = 1000;

/** The peer at the other end of a link. */
export class Peer {
  readonly id: string;
  readonly link: Link;
  readonly demux: LinkDemux;
  stage: Stage = "authenticated";
  about: MemberInfo | undefined;
  addresses: Addresses = {};
  /** The token that it presented, kept until the host announces the peer. */
  token: string | undefined;
  /** Members that it reported as unreachable. */
  unreachableIds: readonly string[] | undefined;
  roundTripMs: number | undefined;
  /** See UnauthenticatedConnection. */
  readonly packetsReceived: UnauthenticatedConnection["packetsReceived"];
  /** The host removes it as soon as it is a member. */
  isUnwanted = false;
  hasEnded = false;
  readonly #clock: Clock;
  #unsent = 0;
  #stopTimer = () => {};

  constructor(
    id: string,
    { channel, packetsReceived }: Pick<UnauthenticatedConnection, "channel" | "packetsReceived">,
    limits: LinkLimits,
    clock: Clock,
    events: { onMessage(peer: Peer, message: RoomMessage): void; ended(peer: Peer, end: LinkEnd): void },
  ) {
    this.id = id;
    this.#clock = clock;
    this.packetsReceived = packetsReceived;
    this.link = new FramedLink(channel, limits, () => clock.now());
    this.demux = new LinkDemux(this.link, {
      message: (value) => events.onMessage(this, decodeRoomMessage(value)),
      ended: (end) => {
        this.hasEnded = true;
        this.#stopTimer();
        events.ended(this, end);
      },
    });
  }

  get lastReceivedAt(): number {
    return this.link.lastReceivedAt;
  }

  ping(): void {
    this.send({ type: "ping", at: this.#clock.now() });
  }

  send(message: RoomMessage): void {
    if (this.#unsent >= maxUnsent) {
      this.demux.close("The other side does not read its messages.");
      return;
    }
    this.#unsent++;
    const over = () => {
      this.#unsent--;
    };
    // Whoever waits for an answer notices the end of the link itself.
    this.demux.send(message).then(over, over);
  }

  /** Calls `call` unless the stage changes or the link ends in time. */
  setDeadline(ms: number, call: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(ms, call);
  }

  advance(stage: Stage): void {
    this.stage = stage;
    this.#stopTimer();
  }
}
