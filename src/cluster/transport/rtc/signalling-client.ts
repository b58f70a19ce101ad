import type { DataConnection, Peer } from "peerjs";
import { CrinkleError } from "../../../core/errors.ts";
import { type SignallingOptions, serverUrl } from "./options.ts";
import { loadPeerJs, muteConnection } from "./peerjs.ts";
import { decodeSignal, type Signal } from "./signals.ts";

/** Milliseconds before a lost server is retried, doubled each time up to the maximum. */
const retry = { first: 400, most: 15_000 };

/** Milliseconds to wait for a server that may not answer at all. */
const openMs = 10_000;

/** A signal that belongs to one connection. */
export type ConnectionSignal = Extract<Signal, { type: "OFFER" | "ANSWER" | "CANDIDATE" }>;

export interface SignallingEvents {
  /** The server knows the address, for the first time or again. */
  opened(): void;
  /** The server is unreachable and will be retried. */
  closed(): void;
  /**
   * The first attempt failed and there is no other: retries were not requested, or the server rejects this
   * address.
   */
  failed(error: CrinkleError): void;
  incoming(connection: DataConnection): void;
  /** The server does not know such a peer. */
  absent(address: string): void;
  suspect(address: string): void;
  accepts(signal: ConnectionSignal): boolean;
}

/** Whether the server would give the same answer again. */
const isFinal = (type: string): boolean => /^(unavailable-id|invalid-|browser)/.test(type);

/** The connection to a PeerServer: opened, kept, and reopened with the same address after a loss. */
export class SignallingClient {
  readonly #events: SignallingEvents;
  readonly #address: string;
  readonly #signalling: SignallingOptions;
  readonly #retries: boolean;
  #peer: Peer | undefined;
  #hasOpened = false;
  /** The listener knows that the first attempt failed. */
  #hasMissed = false;
  #isClosed = false;
  #wait = retry.first;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `retriesSignalling`: keep trying a server that is not reachable yet, as after a loss. */
  constructor(
    address: string,
    signalling: SignallingOptions,
    retriesSignalling: boolean,
    user: SignallingEvents,
  ) {
    this.#events = user;
    this.#address = address;
    this.#signalling = signalling;
    this.#retries = retriesSignalling;
    this.#try();
  }

  /** Undefined if the server is unreachable. */
  connect(address: string): DataConnection | undefined {
    return this.#peer?.open ? this.#peer.connect(address, { reliable: true }) : undefined;
  }

  hasConnection(address: string, connectionId: string): boolean {
    return Boolean(this.#peer?.getConnection(address, connectionId));
  }

  /** Releases the address; connections stay. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#peer?.disconnect();
  }

  #try(): void {
    let isOver = false;
    const fail = (why: string, type = "") => {
      if (isOver || this.#isClosed || this.#hasOpened) return;
      isOver = true;
      clearTimeout(this.#timer);
      this.#peer?.destroy();
      this.#missed(why, type);
    };
    this.#timer = setTimeout(() => fail("it did not answer in time."), openMs);
    this.#open(fail, () => isOver).catch((error: unknown) => fail(String(error)));
  }

  async #open(fail: (why: string, type: string) => void, isOver: () => boolean): Promise<void> {
    const { server, key, iceServers = [] } = this.#signalling;
    const { hostname, port, pathname, protocol } = serverUrl(server);
    const secure = protocol === "https:";
    const peerJs = await loadPeerJs();
    if (this.#isClosed || isOver()) return;
    const mute = muteConnection(peerJs);
    const peer = new peerJs.Peer(this.#address, {
      host: hostname,
      port: port ? Number(port) : secure ? 443 : 80,
      path: pathname,
      secure,
      ...(key === undefined ? {} : { key }),
      // PeerJS's own token is no secret: it comes from Math.random.
      token: crypto.randomUUID(),
      config: { iceServers },
      serializers: { default: mute },
      debug: 0,
    });
    this.#peer = peer;
    this.#filter(peer);
    peer.on("open", () => {
      clearTimeout(this.#timer);
      this.#hasOpened = true;
      this.#wait = retry.first;
      this.#events.opened();
    });
    peer.on("error", ({ message, type }) => fail(message.replace(/\.?$/, "."), type));
    peer.on("disconnected", () => {
      if (!this.#hasOpened || this.#isClosed) return;
      this.#events.closed();
      this.#later(() => peer.reconnect());
    });
    peer.on("connection", (connection) => this.#events.incoming(connection));
  }

  /** Filters what the server sends to PeerJS, which trusts everything. */
  #filter(peer: Peer): void {
    const { socket } = peer;
    const listeners = socket.listeners("message");
    socket.removeAllListeners("message");
    socket.on("message", (data: unknown) => {
      const signal = decodeSignal(data);
      if (!signal) return;
      if (signal.type === "EXPIRE") this.#events.absent(signal.src);
      else if (signal.type === "GONE") this.#events.suspect(signal.src);
      else if (!("src" in signal) || this.#events.accepts(signal)) {
        for (const listener of listeners) listener.call(socket, signal);
      }
    });
  }

  #later(call: () => void): void {
    this.#timer = setTimeout(call, this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, retry.most);
  }

  #missed(why: string, type: string): void {
    if (this.#retries && (this.#hasMissed || !isFinal(type))) {
      if (!this.#hasMissed) this.#events.closed();
      this.#hasMissed = true;
      this.#later(() => this.#try());
      return;
    }
    this.close();
    this.#events.failed(
      new CrinkleError({
        tag: "Refused",
        problem: `The signalling server at ${this.#signalling.server} could not be reached: ${why}`,
        remedy: "Check that it is running, or use another one.",
      }),
    );
  }
}
