import { badMessage } from "../wire/frame.ts";
import type { Peer } from "./peer.ts";
import type { PendingIntroductions } from "./pending-introductions.ts";
import type { Introduction } from "./room-message.ts";

/** A member's part in others' joining: it links to those whom the host announces. */
export class Admission {
  readonly #introductions: PendingIntroductions;
  readonly #peers: ReadonlyMap<string, Peer>;
  readonly #onLinked: (peer: Peer) => void;

  /** `linked` hears who has a link to this member, and waits for the host to admit it. */
  constructor(
    expected: PendingIntroductions,
    peers: ReadonlyMap<string, Peer>,
    linked: (peer: Peer) => void,
  ) {
    this.#introductions = expected;
    this.#peers = peers;
    this.#onLinked = linked;
  }

  /** The host has said that somebody comes. */
  announce(who: Introduction): void {
    this.#introductions.add(who);
    const peer = this.#peers.get(who.id);
    if (peer?.token !== undefined) this.#admit(peer);
  }

  /** Somebody says that the host sent it. Throws BadMessage where it did not, or says so twice. */
  presentToken(peer: Peer, token: string): void {
    if (peer.stage !== "authenticated") throw badMessage("presents itself twice");
    peer.token = token;
    this.#admit(peer);
  }

  /** Sends somebody who asks here to the host, where that is known; elsewhere who asks may find it a little later. */
  redirect(peer: Peer, host: Peer | undefined): void {
    const close = () => peer.demux.close("This rank is not the room's host.");
    if (!host || host.hasEnded) close();
    else peer.demux.send({ type: "redirect", id: host.id, addresses: host.addresses }).then(close, close);
  }

  /** Links somebody whom the host has announced, once it has said the message that the host gave it. */
  #admit(peer: Peer): void {
    const who = this.#introductions.get(peer.id);
    if (!who) return;
    if (who.token !== peer.token) throw badMessage("presents a token that the host did not give it");
    this.#introductions.delete(peer.id);
    peer.about = who.about;
    peer.addresses = who.addresses;
    peer.advance("linked");
    this.#onLinked(peer);
    peer.send({ type: "linked" });
  }
}
