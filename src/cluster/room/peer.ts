import type { Clock } from "../clock.ts";
import { FramedLink } from "../transport/framed-link.ts";
import type { Link, LinkEnd, LinkLimits } from "../transport/link.ts";
import type { Addresses, UnauthenticatedConnection } from "../transport/transport.ts";
import { LinkDemux } from "./link-demux.ts";
import { decodeRoomMessage, type MemberInfo, type RoomMessage } from "./room-message.ts";

/**
 * How far somebody with a link is: has proved the key and not said more (`authenticated`), waits for the host's decision, has
 * been invited and is linking to the others, has links to all, is linked though not to be admitted by this member
 * (`linked`), is of the epoch.
 */
export type Stage = "authenticated" | "requesting" | "invited" | "meshed" | "linked" | "member";

/** Words that wait for the other side to take them. */
const maxUnsent = 1000;

/** Somebody at the other end of a link. */
export class Peer {
  readonly id: string;
  readonly link: Link;
  readonly demux: LinkDemux;
  stage: Stage = "authenticated";
  about: MemberInfo | undefined;
  addresses: Addresses = {};
  /** What it said to have been given by the host, before the host told of it. */
  token: string | undefined;
  /** Whom it said that it cannot reach. */
  unreachableIds: readonly string[] | undefined;
  roundTripMs: number | undefined;
  /** See Contact. */
  readonly packetsReceived: UnauthenticatedConnection["packetsReceived"];
  /** The host puts it out as soon as it is a member. */
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
      this.demux.close("It does not take what it is told.");
      return;
    }
    this.#unsent++;
    const over = () => {
      this.#unsent--;
    };
    // Who waits for an answer learns of the link's end by itself.
    this.demux.send(message).then(over, over);
  }

  /** Calls unless the stage changes, or the link ends, in time. */
  setDeadline(ms: number, call: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(ms, call);
  }

  advance(stage: Stage): void {
    this.stage = stage;
    this.#stopTimer();
  }
}
