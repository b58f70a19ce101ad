import { badMessage } from "../wire/frame.ts";
import type { Peer } from "./peer.ts";
import type { PendingIntroductions } from "./pending-introductions.ts";
import type { Introduction } from "./room-message.ts";

/** A member's part when others join: it links to those whom the host has announced. */
export class Admission {
  readonly #introductions: PendingIntroductions;
  readonly #peers: ReadonlyMap<string, Peer>;
  readonly #onLinked: (peer: Peer) => void;

  /** `linked` is called for a peer that is linked to this member and waits for the host to admit it. */
  constructor(
    expected: PendingIntroductions,
    peers: ReadonlyMap<string, Peer>,
    linked: (peer: Peer) => void,
  ) {
    this.#introductions = expected;
    this.#peers = peers;
    this.#onLinked = linked;
  }

  /** The host announces that somebody will connect. */
  announce(who: Introduction): void {
    this.#introductions.add(who);
    const peer = this.#peers.get(who.id);
    if (peer?.token !== undefined) this.#admit(peer);
  }

  /**
   * A peer presents the token that it got from the host. Throws BadMessage if the token is wrong or
   * presented twice.
   */
  presentToken(peer: Peer, token: string): void {
    if (peer.stage !== "authenticated") throw badMessage("a token was presented twice");
    peer.token = token;
    this.#admit(peer);
  }

  /**
   * Redirects a join request to the host if this member knows it; otherwise closes the link, and the peer
   * can retry later.
   */
  redirect(peer: Peer, host: Peer | undefined): void {
    const close = () => peer.demux.close("This rank is not the room's host.");
    if (!host || host.hasEnded) close();
    else peer.demux.send({ type: "redirect", id: host.id, addresses: host.addresses }).then(close, close);
  }

  /** Links a peer once the host has announced it and it has presented the token. */
  #admit(peer: Peer): void {
    const who = this.#introductions.get(peer.id);
    if (!who) return;
    if (who.token !== peer.token) throw badMessage("the token does not match the one from the host");
    this.#introductions.delete(peer.id);
    peer.about = who.about;
    peer.addresses = who.addresses;
    peer.advance("linked");
    this.#onLinked(peer);
    peer.send({ type: "linked" });
  }
}
