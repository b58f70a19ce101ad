import type { Clock } from "../clock.ts";
import { FramedLink } from "../transport/framed-link.ts";
import type { Link, LinkEnd, LinkLimits } from "../transport/link.ts";
import { Fork } from "./fork.ts";
import type { Contact } from "./way.ts";
import { type About, type Addresses, readWord, type Word } from "./words.ts";

/**
 * How far somebody with a link is: has proved the key and not said more (`stranger`), waits for the host's decision, has
 * been invited and is linking to the others, has links to all, is linked though not to be admitted by this member
 * (`linked`), is of the epoch.
 */
export type Stage = "stranger" | "asking" | "invited" | "meshed" | "linked" | "member";

/** Words that wait for the other side to take them. */
const mostUnsaid = 1000;

/** Somebody at the other end of a link. */
export class Peer {
  readonly id: string;
  readonly link: Link;
  readonly fork: Fork;
  stage: Stage = "stranger";
  about: About | undefined;
  addresses: Addresses = {};
  /** What it said to have been given by the host, before the host told of it. */
  ticket: string | undefined;
  /** Whom it said that it cannot reach. */
  lacks: readonly string[] | undefined;
  roundTripMs: number | undefined;
  /** See Contact. */
  readonly packets: Contact["packets"];
  /** The host puts it out as soon as it is a member. */
  isUnwanted = false;
  hasEnded = false;
  readonly #clock: Clock;
  #unsaid = 0;
  #stopTimer = () => {};

  constructor(
    id: string,
    { channel, packets }: Pick<Contact, "channel" | "packets">,
    limits: LinkLimits,
    clock: Clock,
    events: { said(peer: Peer, word: Word): void; ended(peer: Peer, end: LinkEnd): void },
  ) {
    this.id = id;
    this.#clock = clock;
    this.packets = packets;
    this.link = new FramedLink(channel, limits, () => clock.now());
    this.fork = new Fork(this.link, {
      said: (value) => events.said(this, readWord(value)),
      ended: (end) => {
        this.hasEnded = true;
        this.#stopTimer();
        events.ended(this, end);
      },
    });
  }

  get heardAt(): number {
    return this.link.heardAt;
  }

  ping(): void {
    this.say({ say: "ping", at: this.#clock.now() });
  }

  say(word: Word): void {
    if (this.#unsaid >= mostUnsaid) {
      this.fork.close("It does not take what it is told.");
      return;
    }
    this.#unsaid++;
    const over = () => {
      this.#unsaid--;
    };
    // Who waits for an answer learns of the link's end by itself.
    this.fork.say(word).then(over, over);
  }

  /** Calls unless the stage changes, or the link ends, in time. */
  limit(ms: number, call: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(ms, call);
  }

  advance(stage: Stage): void {
    this.stage = stage;
    this.#stopTimer();
  }
}
