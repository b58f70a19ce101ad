import { CrinkleError, cancelled } from "../../core/errors.ts";
import type { LinkEnd } from "../transport/link.ts";
import type { Addresses } from "../transport/transport.ts";
import { badMessage } from "../wire/frame.ts";
import { type ConnectionManager, hostUnreachable } from "./connection-manager.ts";
import type { Peer } from "./peer.ts";
import type { Introduction, PeerRecord, RoomMessage } from "./room-message.ts";

export interface JoinerOptions {
  readonly connections: ConnectionManager;
  readonly own: PeerRecord;
  /** The host has yet to decide. */
  onPending(): void;
  /** This member belongs to the epoch with this number and these ids. */
  onWelcome(epoch: number, ids: readonly string[]): void;
}

/** How often a joiner follows redirects to the host. */
const maxRedirects = 4;

/** How a peer becomes a member: it asks the host, links to those whom the host names, and is welcomed. */
export class Joiner {
  readonly #options: JoinerOptions;
  readonly #joined: Promise<void>;
  #resolve: () => void = () => {};
  #reject: (error: CrinkleError) => void = () => {};
  #host: Peer | undefined;
  #redirects = 0;
  /** Peers that have yet to confirm the link. */
  readonly #linking = new Map<Peer, { resolve(): void; reject(error: CrinkleError): void }>();

  constructor(options: JoinerOptions) {
    this.#options = options;
    this.#joined = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#joined.catch(() => {});
  }

  /** The peer that was asked. */
  get host(): Peer | undefined {
    return this.#host;
  }

  /**
   * Asks the first peer that answers at these addresses, tried in order, or the host that it redirects to;
   * resolves as a member. Rejects with Unreachable if nobody answers or the host is lost meanwhile, with
   * Refused if the host declines, and with Cancelled.
   */
  async join(hosts: readonly Addresses[], signal?: AbortSignal): Promise<void> {
    const cancel = () => this.#reject(cancelled("Joining"));
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      const dialled = this.#dialFirst(hosts);
      await Promise.race([dialled, this.#joined]);
      this.#sendJoin(await dialled);
      await this.#joined;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Throws BadMessage if the sender may not send such a message. */
  handle(peer: Peer, message: RoomMessage): void {
    switch (message.type) {
      case "pending":
        if (peer === this.#host) this.#options.onPending();
        return;
      case "linked":
        this.#linking.get(peer)?.resolve();
        return;
      case "welcome":
        if (peer.stage !== "linked") throw badMessage("a welcome from a peer that is not linked");
        if (!message.ids.includes(this.#options.own.id)) throw badMessage("a welcome for somebody else");
        this.#options.onWelcome(message.epoch, message.ids);
        this.#resolve();
        return;
      case "reject":
      case "redirect":
      case "invite":
        if (peer !== this.#host) throw badMessage("an answer from a peer that was not asked");
        if (message.type === "invite") void this.#linkToAll(peer, message.others);
        else if (message.type === "redirect") void this.#followRedirect(peer, message);
        else this.#reject(new CrinkleError({ tag: "Refused", problem: message.reason }));
    }
  }

  onDisconnect(peer: Peer, { problem }: LinkEnd): void {
    this.#linking.get(peer)?.reject(hostUnreachable());
    if (this.#host !== peer) return;
    const remedy = "Try again: the room may have a new host by then.";
    this.#reject(
      new CrinkleError({ tag: "Unreachable", problem: `The link to the host ended: ${problem}`, remedy }),
    );
  }

  async #dialFirst(hosts: readonly Addresses[]): Promise<Peer> {
    let last: unknown = hostUnreachable();
    for (const addresses of hosts) {
      try {
        return await this.#options.connections.dial(addresses);
      } catch (error) {
        last = error;
        if (this.#options.connections.hasEnded) break;
      }
    }
    throw last;
  }

  #sendJoin(host: Peer): void {
    const { about, addresses } = this.#options.own;
    if (host.hasEnded) throw hostUnreachable();
    this.#host = host;
    host.send({ type: "join", about, addresses });
  }

  /** Asks the host that a peer named. */
  async #followRedirect(
    from: Peer,
    { id, addresses }: Extract<RoomMessage, { type: "redirect" }>,
  ): Promise<void> {
    this.#host = undefined;
    from.demux.close("This rank asks the host.");
    try {
      if (++this.#redirects > maxRedirects) throw hostUnreachable();
      this.#sendJoin(await this.#options.connections.dial(addresses, id));
    } catch {
      // The named host may be gone by now; a later attempt finds another.
      this.#reject(hostUnreachable());
    }
  }

  /** Links to everybody in the room. The first introduction is the host's own. */
  async #linkToAll(host: Peer, [own, ...others]: readonly Introduction[]): Promise<void> {
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
    if (ids.length > 0) host.send({ type: "unreachable", ids });
    else host.send({ type: "meshed" });
  }

  async #linkTo(other: Introduction): Promise<void> {
    const peer = await this.#options.connections.dial(other.addresses, other.id);
    peer.about = other.about;
    peer.addresses = other.addresses;
    peer.send({ type: "presentToken", token: other.token });
    await new Promise<void>((resolve, reject) => {
      this.#linking.set(peer, { resolve, reject });
      if (peer.hasEnded) reject(hostUnreachable());
    });
    peer.advance("linked");
  }
}
