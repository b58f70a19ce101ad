import { randomOf } from "../../transport/testing/random.ts";
import { signatureMismatch } from "../collectives/call-signature.ts";
import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";

interface Message {
  readonly bytes: Uint8Array;
  readonly signature: number;
  sent(): void;
}

type Take = (message: Message) => void;

/** Messages and bytes that a rank has sent and received. */
export interface Counts {
  sentMessages: number;
  sentBytes: number;
  receivedMessages: number;
  receivedBytes: number;
}

/**
 * Exchanges between ranks of one process. A seed decides in which order messages arrive, and whether each
 * is read on arrival or when it is received, so that memory changed too early is detected.
 */
export class ExchangeNetwork {
  readonly size: number;
  readonly counts: Counts[];
  /** Events so far. */
  steps = 0;
  readonly #random: () => number;
  readonly #events: (() => void)[] = [];
  readonly #arrived = new Map<string, Message>();
  readonly #waiting = new Map<string, Take>();
  readonly #used = new Set<string>();
  /** Reject functions of unsettled promises. */
  readonly #rejects = new Set<(error: Error) => void>();
  #isPumping = false;
  #end: Error | undefined;

  constructor(size: number, seed: number) {
    this.size = size;
    this.#random = randomOf(seed);
    this.counts = Array.from({ length: size }, () => ({
      sentMessages: 0,
      sentBytes: 0,
      receivedMessages: 0,
      receivedBytes: 0,
    }));
  }

  /** A rank's part in the call of that number. */
  open(rank: number, call = 0): Exchange {
    let signature = 0;
    const key = (from: number, to: number, slot: number) => `call ${call}: ${from} → ${to}, slot ${slot}`;
    const take = <R>(from: number, slot: number, read: (bytes: Uint8Array) => R): Promise<R> =>
      this.#receive(key(from, rank, slot), (message) => {
        if (message.signature !== signature) throw signatureMismatch(`call ${call}`, rank, from);
        const counts = this.counts[rank];
        counts.receivedMessages++;
        counts.receivedBytes += message.bytes.length;
        return read(message.bytes);
      });
    return {
      rank,
      size: this.size,
      setSignature: (what) => {
        signature = what;
      },
      send: (to, slot, bytes) => {
        const counts = this.counts[rank];
        counts.sentMessages++;
        counts.sentBytes += bytes.length;
        return this.#send(key(rank, to, slot), bytes, signature);
      },
      receive: (from, slot) =>
        take(from, slot, (bytes) => {
          const padding = 8 * Math.floor(this.#random() * 3);
          const own = new Uint8Array(padding + bytes.length);
          own.set(bytes, padding);
          return own.subarray(padding);
        }),
      receiveInto: (from, slot, into) =>
        take(from, slot, (bytes) => {
          if (bytes.length === into.length) return into.set(bytes);
          throw new CommunicatorError({
            tag: "Truncated",
            mpi: "MPI_ERR_TRUNCATE",
            problem: `${key(from, rank, slot)}: ${bytes.length} bytes where ${into.length} fit.`,
          });
        }),
    };
  }

  /** Ends everything in progress. */
  revoke(error: Error): void {
    this.#end ??= error;
    for (const reject of this.#rejects) reject(error);
    this.#rejects.clear();
    this.#events.length = 0;
  }

  /** Messages sent and not received, or awaited and not sent. */
  get left(): string[] {
    return [...this.#arrived.keys(), ...this.#waiting.keys()];
  }

  #send(key: string, bytes: Uint8Array, signature: number): Promise<void> {
    if (this.#end) return Promise.reject(this.#end);
    if (this.#used.has(key)) throw new Error(`${key} is used twice`);
    this.#used.add(key);
    return this.#promise((resolve) => {
      this.#plan(() => {
        const isEager = this.#random() < 0.5;
        if (isEager) this.#plan(resolve);
        const sent = () => {
          if (!isEager) this.#plan(resolve);
        };
        this.#match(key, { bytes: isEager ? bytes.slice() : bytes, signature, sent });
      });
    });
  }

  #match(key: string, message: Message): void {
    const take = this.#waiting.get(key);
    if (!take) {
      this.#arrived.set(key, message);
      return;
    }
    this.#waiting.delete(key);
    take(message);
  }

  #receive<R>(key: string, read: (message: Message) => R): Promise<R> {
    if (this.#end) return Promise.reject(this.#end);
    return this.#promise((resolve, reject) => {
      const take = (message: Message) =>
        this.#plan(() => {
          try {
            resolve(read(message));
          } catch (error) {
            reject(error);
          }
          message.sent();
        });
      const message = this.#arrived.get(key);
      if (message) {
        this.#arrived.delete(key);
        take(message);
      } else if (this.#waiting.has(key)) throw new Error(`${key} is awaited twice`);
      else this.#waiting.set(key, take);
    });
  }

  #promise<R>(start: (resolve: (result: R) => void, reject: (error: unknown) => void) => void): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#rejects.add(reject);
      const settle = () => this.#rejects.delete(reject);
      start(
        (result) => {
          settle();
          resolve(result);
        },
        (error) => {
          settle();
          reject(error);
        },
      );
    });
  }

  #plan(event: () => void): void {
    if (this.#end) return;
    this.#events.push(event);
    if (this.#isPumping) return;
    this.#isPumping = true;
    queueMicrotask(() => this.#pump());
  }

  #pump(): void {
    this.steps++;
    const k = Math.floor(this.#random() * this.#events.length);
    const event = this.#events[k];
    const last = this.#events.pop();
    if (last !== event && last) this.#events[k] = last;
    event?.();
    if (this.#events.length > 0) queueMicrotask(() => this.#pump());
    else this.#isPumping = false;
  }
}
