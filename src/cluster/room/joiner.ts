import { CrinkleError, cancelled } from "../../core/errors.ts";
import type { LinkEnd } from "../transport/link.ts";
import { malformed } from "../wire/frame.ts";
import { type Links, unreachable } from "./links.ts";
import type { Peer } from "./peer.ts";
import type { Addresses, Entry, Introduction, Word } from "./words.ts";

export interface JoinerParts {
  readonly links: Links;
  readonly own: Entry;
  /** The host has yet to decide. */
  waits(): void;
  /** It is of this epoch now. */
  welcomed(epoch: number, ids: readonly string[]): void;
}

/** How often one who asks may be sent on to another rank, who is said to be the host. */
const mostRedirects = 4;

/** What one does to become a member: asks the host, links to whom it names, and is welcomed. */
export class Joiner {
  readonly #parts: JoinerParts;
  readonly #isIn: Promise<void>;
  #resolve: () => void = () => {};
  #reject: (error: CrinkleError) => void = () => {};
  #host: Peer | undefined;
  #redirects = 0;
  /** Those who have yet to say that they are linked. */
  readonly #linking = new Map<Peer, { resolve(): void; reject(error: CrinkleError): void }>();

  constructor(parts: JoinerParts) {
    this.#parts = parts;
    this.#isIn = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#isIn.catch(() => {});
  }

  /** Who was asked. */
  get host(): Peer | undefined {
    return this.#host;
  }

  /**
   * Asks who answers first, in order, at these addresses, or the host that it names, and resolves as a member. Rejects with
   * Unreachable where nobody answers or the host is lost meanwhile, with Refused where it does not want this one, and with
   * Cancelled.
   */
  async join(hosts: readonly Addresses[], signal?: AbortSignal): Promise<void> {
    const cancel = () => this.#reject(cancelled("Joining"));
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      const dialled = this.#dialFirst(hosts);
      await Promise.race([dialled, this.#isIn]);
      this.#ask(await dialled);
      await this.#isIn;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Throws BadMessage where that is not for its sender to say. */
  hear(peer: Peer, word: Word): void {
    switch (word.say) {
      case "wait":
        if (peer === this.#host) this.#parts.waits();
        return;
      case "linked":
        this.#linking.get(peer)?.resolve();
        return;
      case "welcome":
        if (peer.stage !== "linked") throw malformed("welcomes somebody that it is not linked to");
        if (!word.ids.includes(this.#parts.own.id)) throw malformed("welcomes somebody else");
        this.#parts.welcomed(word.epoch, word.ids);
        this.#resolve();
        return;
      case "refuse":
      case "redirect":
      case "invite":
        if (peer !== this.#host) throw malformed("answers though nobody asked it");
        if (word.say === "invite") void this.#link(peer, word.others);
        else if (word.say === "redirect") void this.#follow(peer, word);
        else this.#reject(new CrinkleError({ tag: "Refused", problem: word.reason }));
    }
  }

  lost(peer: Peer, { problem }: LinkEnd): void {
    this.#linking.get(peer)?.reject(unreachable());
    if (this.#host !== peer) return;
    const remedy = "Try again: the room may have another host by then.";
    this.#reject(
      new CrinkleError({ tag: "Unreachable", problem: `The link to the host ended: ${problem}`, remedy }),
    );
  }

  async #dialFirst(hosts: readonly Addresses[]): Promise<Peer> {
    let last: unknown = unreachable();
    for (const addresses of hosts) {
      try {
        return await this.#parts.links.dial(addresses);
      } catch (error) {
        last = error;
        if (this.#parts.links.hasEnded) break;
      }
    }
    throw last;
  }

  #ask(host: Peer): void {
    const { about, addresses } = this.#parts.own;
    if (host.hasEnded) throw unreachable();
    this.#host = host;
    host.say({ say: "ask", about, addresses });
  }

  /** Asks another one: who was asked says that it is the host. */
  async #follow(from: Peer, { id, addresses }: Extract<Word, { say: "redirect" }>): Promise<void> {
    this.#host = undefined;
    from.fork.close("This rank asks the host.");
    try {
      if (++this.#redirects > mostRedirects) throw unreachable();
      this.#ask(await this.#parts.links.dial(addresses, id));
    } catch {
      // That one may be gone by now: who comes a little later finds another.
      this.#reject(unreachable());
    }
  }

  /** Links to everybody who is in the room. The first is the host itself. */
  async #link(host: Peer, [own, ...others]: readonly Introduction[]): Promise<void> {
    host.about = own?.about;
    host.addresses = own?.addresses ?? {};
    host.advance("linked");
    const missing = await Promise.all(
      others.map(async (other) => {
        try {
          await this.#linkTo(other);
          return [];
        } catch {
          return [other.id];
        }
      }),
    );
    const ids = missing.flat();
    if (ids.length > 0) host.say({ say: "unreachable", ids });
    else host.say({ say: "meshed" });
  }

  async #linkTo(other: Introduction): Promise<void> {
    const peer = await this.#parts.links.dial(other.addresses, other.id);
    peer.about = other.about;
    peer.addresses = other.addresses;
    peer.say({ say: "present", ticket: other.ticket });
    await new Promise<void>((resolve, reject) => {
      this.#linking.set(peer, { resolve, reject });
      if (peer.hasEnded) reject(unreachable());
    });
    peer.advance("linked");
  }
}
