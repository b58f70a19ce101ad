import type { Clock } from "../clock.ts";
import type { RoomBounds } from "./limits.ts";
import type { Peer } from "./peer.ts";
import type { About, Entry, Introduction, Word } from "./words.ts";

/** Somebody who asks to join. */
export interface Request {
  readonly id: string;
  readonly about: About;
  admit(): void;
  refuse(reason: string): void;
}

export interface HostParts {
  readonly limits: RoomBounds;
  readonly clock: Clock;
  readonly own: Entry;
  readonly peers: ReadonlyMap<string, Peer>;
  asked(request: Request): void;
  /** Everybody is linked to these: the epoch can go on with them. */
  ready(peers: readonly Peer[]): void;
  /** The epoch ends, and goes on without it. */
  putOut(id: string): void;
  changed(): void;
}

/** Milliseconds in which whoever cannot be linked to may turn out to have gone. */
const lackMs = 6000;

/** What the first rank does for those who want to join: decides, or has decided, and introduces them to the others. */
export class Host {
  readonly #parts: HostParts;
  /** When somebody joined, in the last minute. */
  #joins: number[] = [];
  #holds = 0;

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  ask(peer: Peer): void {
    const { clock, asked } = this.#parts;
    const refusal = this.#refusal();
    if (refusal) {
      this.refuse(peer, refusal);
      return;
    }
    this.#joins.push(clock.now());
    peer.advance("asking");
    peer.say({ say: "wait" });
    const once = (act: () => void) => () => {
      if (peer.stage === "asking" && !peer.hasEnded) act();
    };
    asked({
      id: peer.id,
      about: peer.about as About,
      admit: once(() => this.#invite(peer)),
      refuse: (reason) => once(() => this.refuse(peer, reason))(),
    });
  }

  refuse(peer: Peer, reason: string): void {
    const close = () => peer.fork.close(reason);
    peer.fork.say({ say: "refuse", reason }).then(close, close);
  }

  /** Puts out a member, or somebody who is about to be one. */
  remove(peer: Peer): void {
    if (peer.stage === "member") {
      peer.say({ say: "removed" });
      this.#parts.putOut(peer.id);
    } else if (peer.stage === "meshed") {
      // The members may be agreeing on an epoch with it.
      peer.isUnwanted = true;
    } else this.refuse(peer, "The host does not want this rank.");
  }

  /** Another epoch has begun, of which this member is host. */
  began(): void {
    this.admit();
    for (const peer of this.#inStage("member")) if (peer.isUnwanted) this.remove(peer);
  }

  /** Somebody who was invited has links to all, or cannot link to some: that is no matter where they have gone. */
  hear(peer: Peer, word: Extract<Word, { say: "meshed" | "unreachable" }>): void {
    if (peer.stage !== "invited") return;
    if (word.say === "meshed") peer.advance("meshed");
    else {
      peer.lacks = word.ids;
      this.#limit(peer, lackMs, `It cannot reach ${word.ids.length} of the ranks.`);
    }
    this.admit();
  }

  /** No new epoch begins until what this returns is called: a job is running. */
  hold(): () => void {
    this.#holds++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      this.admit();
    };
  }

  /** Takes those who have links to all, unless a job holds the epoch. */
  admit(): void {
    for (const peer of this.#inStage("invited")) {
      if (peer.lacks && !peer.lacks.some((id) => this.#parts.peers.has(id))) peer.advance("meshed");
    }
    const peers = this.#inStage("meshed");
    if (this.#holds === 0 && peers.length > 0) this.#parts.ready(peers);
  }

  #invite(peer: Peer): void {
    const others = ["member", "invited", "meshed"].flatMap((stage) => this.#inStage(stage));
    const who = { id: peer.id, about: peer.about as About, addresses: peer.addresses };
    const introductions = others.map((other): Introduction => {
      const ticket = crypto.randomUUID();
      other.say({ say: "expect", who: { ...who, ticket } });
      return { id: other.id, about: other.about as About, addresses: other.addresses, ticket };
    });
    peer.advance("invited");
    this.#limit(peer, this.#parts.limits.meshMs, "It did not link to the other ranks in time.");
    const { own } = this.#parts;
    peer.say({ say: "invite", others: [{ ...own, ticket: "" }, ...introductions] });
    this.#parts.changed();
  }

  #limit(peer: Peer, ms: number, reason: string): void {
    peer.limit(ms, () => this.refuse(peer, reason));
  }

  #inStage(stage: string): Peer[] {
    return [...this.#parts.peers.values()].filter((peer) => peer.stage === stage && !peer.hasEnded);
  }

  #refusal(): string | undefined {
    const { limits, clock } = this.#parts;
    const since = clock.now() - 60_000;
    this.#joins = this.#joins.filter((at) => at > since);
    const ranks =
      1 + ["member", "asking", "invited", "meshed"].flatMap((stage) => this.#inStage(stage)).length;
    if (ranks >= limits.ranks) return `The room is full: it takes ${limits.ranks} ranks.`;
    if (this.#joins.length >= limits.joinsPerMinute) {
      return `Too many ask to join: the room takes ${limits.joinsPerMinute} a minute. Try again in a minute.`;
    }
    return undefined;
  }
}
