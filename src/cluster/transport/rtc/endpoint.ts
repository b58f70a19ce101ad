import { CrinkleError, fromPlainError } from "../../../core/errors.ts";
import type { FrameChannel } from "../channel.ts";
import type { ChannelSource, DriverCommand, DriverEvent } from "./driver-protocol.ts";
import type { Fingerprints } from "./fingerprints.ts";
import { parseSignalling, type SignallingOptions } from "./options.ts";
import { relayedChannel } from "./relay.ts";
import { RtcChannel } from "./rtc-channel.ts";

export interface RtcConnection {
  /** The other end's address, according to the signalling server. */
  readonly address: string;
  readonly channel: FrameChannel;
  /** Binds a proof of the room's key to this connection; until then, anybody may be at the other end. */
  readonly binding: Fingerprints;
  /** How many packets have arrived, including acknowledgements; undefined if not available. */
  packetsReceived(): Promise<number | undefined>;
}

export interface RtcOptions {
  /** `addressOf` a room and a member; never reused. */
  readonly address: string;
  readonly signalling: SignallingOptions;
  /** Milliseconds within which a connection must be made. Default: 10,000. */
  readonly connectMs?: number;
  /**
   * Whether to keep trying a server that is not reachable yet, as after a loss: opening does not wait for
   * it.
   */
  readonly retriesSignalling?: boolean;
  onConnection(connection: RtcConnection): void;
  /** The server lost a peer. A mere hint: anybody can cause one. */
  onSuspect?(address: string): void;
  /** The signalling server became unreachable or reachable again; connections stay meanwhile. */
  onReachable?(isReachable: boolean): void;
}

export interface RtcEndpoint {
  readonly address: string;
  /**
   * Rejects with Refused if the server is unreachable, the peer does not exist or could not be reached in
   * time.
   */
  dial(address: string): Promise<RtcConnection>;
  /** Releases the address: no more connections are dialled or accepted. Existing ones stay. */
  close(): void;
}

interface Entry {
  readonly address: string;
  channel: (FrameChannel & { fail(problem: string): void; readonly opened: Promise<void> }) | undefined;
  isDone: boolean;
  /** Waiting queries for the number of packets. */
  readonly counted: ((packets: number | undefined) => void)[];
  readonly timer: ReturnType<typeof setTimeout>;
  readonly done: (connection: RtcConnection) => void;
  readonly failed: (error: CrinkleError) => void;
}

const defaultConnectMs = 10_000;

/** Turns a driver's events into connections. */
export class Endpoint implements RtcEndpoint {
  readonly address: string;
  readonly #options: RtcOptions;
  readonly #command: (command: DriverCommand) => void;
  readonly #entries = new Map<number, Entry>();
  readonly #isOpen: Promise<void>;
  #opened: (error?: CrinkleError) => void = () => {};
  #dialled = 0;
  #isClosed = false;

  /** `command` sends a command, which takes effect at once or later. */
  constructor(options: RtcOptions, command: (command: DriverCommand) => void) {
    this.address = options.address;
    this.#options = options;
    this.#command = command;
    this.#isOpen = new Promise((resolve, reject) => {
      this.#opened = (error) => (error ? reject(error) : resolve());
    });
  }

  /**
   * Resolves when the server knows the address, or is unreachable and will be retried. Rejects with Refused
   * if the server is unreachable or the address is taken.
   */
  async open(): Promise<RtcEndpoint> {
    const { retriesSignalling = false } = this.#options;
    const signalling = parseSignalling(this.#options.signalling);
    this.#command({ kind: "open", address: this.address, signalling, retriesSignalling });
    await this.#isOpen;
    return this;
  }

  dial(address: string): Promise<RtcConnection> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(refused(`${this.address} was closed`));
        return;
      }
      const number = ++this.#dialled;
      this.#addEntry(number, address, resolve, reject);
      this.#command({ kind: "dial", connection: number, address });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#command({ kind: "close" });
    for (const [number, { isDone }] of this.#entries) {
      if (!isDone) this.#fail(number, `${this.address} was closed`);
    }
  }

  handle(event: DriverEvent): void {
    switch (event.kind) {
      case "open":
        this.#opened();
        this.#options.onReachable?.(true);
        return;
      case "closed":
        this.#opened(event.error && fromPlainError(event.error));
        if (!event.error) this.#options.onReachable?.(false);
        return;
      case "suspect":
        this.#options.onSuspect?.(event.address);
        return;
      case "begun":
        this.#begun(event.connection, event.address, event);
        return;
      case "connected":
        this.#connected(event.connection, event.fingerprints);
        return;
      case "packetCount":
        for (const take of this.#entries.get(event.connection)?.counted.splice(0) ?? []) take(event.packets);
        return;
      case "failed":
        this.#fail(event.connection, event.problem);
    }
  }

  #addEntry(
    number: number,
    address: string,
    done: (connection: RtcConnection) => void,
    failed: (error: CrinkleError) => void,
  ): Entry {
    const { connectMs = defaultConnectMs } = this.#options;
    const timer = setTimeout(
      () => this.#fail(number, `No connection was made within ${connectMs} ms.`),
      connectMs,
    );
    const entry: Entry = { address, channel: undefined, isDone: false, counted: [], timer, done, failed };
    this.#entries.set(number, entry);
    return entry;
  }

  #begun(number: number, address: string, means: ChannelSource): void {
    const known = this.#entries.get(number);
    if (this.#isClosed || (number > 0 && !known)) {
      this.#command({ kind: "end", connection: number });
      return;
    }
    const entry =
      known ??
      this.#addEntry(
        number,
        address,
        (made) => this.#options.onConnection(made),
        () => {},
      );
    const over = () => this.#over(number);
    entry.channel = "port" in means ? relayedChannel(means.port, over) : new RtcChannel(means, over);
  }

  async #connected(number: number, binding: Fingerprints): Promise<void> {
    const entry = this.#entries.get(number);
    if (!entry?.channel) return;
    const { channel, address } = entry;
    await channel.opened;
    if (this.#entries.get(number) !== entry) return;
    clearTimeout(entry.timer);
    entry.isDone = true;
    entry.done({ address, channel, binding, packetsReceived: () => this.#count(number) });
  }

  #count(number: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const entry = this.#entries.get(number);
      if (!entry) resolve(undefined);
      else if (entry.counted.push(resolve) === 1) this.#command({ kind: "countPackets", connection: number });
    });
  }

  #fail(number: number, problem: string): void {
    const entry = this.#end(number);
    if (entry?.isDone) entry.channel?.fail(problem);
    else entry?.failed(refused(`Connecting to ${entry.address} failed. ${problem}`));
  }

  /** The connection's channel has ended. */
  #over(number: number): void {
    const entry = this.#end(number);
    if (entry && !entry.isDone) entry.failed(refused(`${entry.address} closed the connection.`));
  }

  #end(number: number): Entry | undefined {
    const entry = this.#entries.get(number);
    if (!entry) return undefined;
    clearTimeout(entry.timer);
    this.#entries.delete(number);
    for (const take of entry.counted.splice(0)) take(undefined);
    if (!entry.isDone) entry.channel?.close();
    this.#command({ kind: "end", connection: number });
    return entry;
  }
}

const refused = (problem: string): CrinkleError => new CrinkleError({ tag: "Refused", problem });
