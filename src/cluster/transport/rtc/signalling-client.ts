import type { DataConnection, Peer } from "peerjs";
import { CrinkleError } from "../../../core/errors.ts";
import { type SignallingOptions, serverUrl } from "./options.ts";
import { loadPeerJs, muteConnection } from "./peerjs.ts";
import { decodeSignal, type Signal } from "./signals.ts";

/** Milliseconds within which a lost server is asked again; doubled until the most. */
const retry = { first: 400, most: 15_000 };

/** A server may not answer at all. */
const openMs = 10_000;

/** A signal that belongs to one connection. */
export type ConnectionSignal = Extract<Signal, { type: "OFFER" | "ANSWER" | "CANDIDATE" }>;

export interface SignallingEvents {
  /** The server knows the address, again. */
  opened(): void;
  /** It is out of reach, and will be asked again. */
  closed(): void;
  /** The first try failed, and no other follows: none was wanted, or the server does not want this address. */
  failed(error: CrinkleError): void;
  incoming(connection: DataConnection): void;
  /** The server has no such peer. */
  absent(address: string): void;
  suspect(address: string): void;
  accepts(signal: ConnectionSignal): boolean;
}

/** What a server says that would say it again. */
const isFinal = (type: string): boolean => /^(unavailable-id|invalid-|browser)/.test(type);

/** The link to a PeerServer: opened, kept, and opened again with the same address after it was lost. */
export class SignallingClient {
  readonly #events: SignallingEvents;
  readonly #address: string;
  readonly #signalling: SignallingOptions;
  readonly #retries: boolean;
  #peer: Peer | undefined;
  #hasOpened = false;
  /** The user knows that the server was not reached at first. */
  #hasMissed = false;
  #isClosed = false;
  #wait = retry.first;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `retriesSignalling`: a server that is not there yet is asked again, as one that was lost. */
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

  /** Undefined where the server is out of reach. */
  connect(address: string): DataConnection | undefined {
    return this.#peer?.open ? this.#peer.connect(address, { reliable: true }) : undefined;
  }

  hasConnection(address: string, connectionId: string): boolean {
    return Boolean(this.#peer?.getConnection(address, connectionId));
  }

  /** Gives the address back; connections live on. */
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
      // PeerJS's own is no secret: it is drawn by Math.random.
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

  /** Between the server and PeerJS, which believes all that it hears. */
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
        problem: `The signalling server at ${this.#signalling.server} was not reached: ${why}`,
        remedy: "See whether it runs, or use another one.",
      }),
    );
  }
}
