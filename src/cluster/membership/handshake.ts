import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import { deriveBytes, type RoomKey } from "../room-key.ts";
import type { ChannelReceiver, FrameChannel, ReceiveBuffer } from "../transport/channel.ts";
import type { ChannelBinding } from "../transport/transport.ts";

export interface HandshakeOptions {
  readonly key: RoomKey;
  /** True on the side that opened the channel, false on the side that accepted it. */
  readonly isDialler: boolean;
  /** This side's name in the room. */
  readonly name: string;
  readonly binding: ChannelBinding;
  readonly clock: Clock;
}

export interface AuthenticatedChannel {
  /** The other side's name, as it claims. */
  readonly name: string;
  /** Delivers what comes after the handshake. */
  readonly channel: FrameChannel;
}

/** Milliseconds within which the other side must prove the key. */
const handshakeMs = 5000;

/**
 * First bytes of the two frames, which differ from those of any link's frame; the second byte is 0, as in
 * frames of stream 0.
 */
const helloKind = 16;
const proofKind = 17;

/**
 * Bytes that may arrive while the other side's proof is being checked, or earlier on another stream; they
 * are kept unread.
 */
const maxEarlyBytes = 2 ** 16;

const version = 1;
const nonceBytes = 32;
const tagBytes = 32;
const nonceAt = 3;
const nameAt = nonceAt + nonceBytes;
const maxNameBytes = 64;

/**
 * Each side sends two frames before anything else: a hello with a nonce and a name, then an HMAC-SHA256
 * with the room's key over the version, the sender's role, both names, both ends' channel bindings and both
 * nonces. This proves that a side holds the key, takes part in this very handshake and sees the same
 * certificates; replayed, reflected or relayed frames fail. If the other side does not prove it in time,
 * closes the channel and rejects with Refused.
 */
export function authenticateChannel(
  channel: FrameChannel,
  options: HandshakeOptions,
): Promise<AuthenticatedChannel> {
  return new Handshake(channel, options).done;
}

class Handshake implements ChannelReceiver {
  readonly done: Promise<AuthenticatedChannel>;
  readonly #channel: FrameChannel;
  readonly #options: HandshakeOptions;
  readonly #nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  readonly #stopTimer: () => void;
  #resolve: (proven: AuthenticatedChannel) => void = () => {};
  #reject: (error: CrinkleError) => void = () => {};
  #hello: { readonly nonce: Uint8Array; readonly name: string } | undefined;
  #tag: Uint8Array<ArrayBuffer> | undefined;
  #isProven = false;
  #hasProven = false;
  #isRefused = false;
  /** Passed on to the link: frames that arrived after the proof, and whether the channel was lost. */
  readonly #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #lost: string | undefined;
  #next: ChannelReceiver | undefined;

  constructor(channel: FrameChannel, options: HandshakeOptions) {
    this.#channel = channel;
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#stopTimer = options.clock.after(handshakeMs, () =>
      this.#refuse("The other side did not prove in time that it holds the room's key."),
    );
    channel.start(this);
    const name = new TextEncoder().encode(options.name);
    const hello = new Uint8Array(nameAt + name.length);
    hello.set([helloKind, 0, version]);
    hello.set(this.#nonce, nonceAt);
    hello.set(name, nameAt);
    channel.post(hello, nothing);
  }

  frame(bytes: Uint8Array): void {
    if (this.#next) this.#next.frame(bytes);
    else if (this.#isRefused) return;
    else if (bytes[0] === helloKind && !this.#hello) this.#takeHello(bytes);
    else if (bytes[0] === proofKind && this.#hello && !this.#tag) void this.#takeTag(bytes, this.#hello);
    else this.#keep(bytes);
  }

  #keep(bytes: Uint8Array): void {
    this.#earlyBytes += bytes.length;
    if (bytes[0] >= helloKind || this.#earlyBytes > maxEarlyBytes)
      this.#refuse("The other side sent data before it proved that it holds the room's key.");
    else this.#early.push(bytes);
  }

  bufferFor(header: Uint8Array, length: number): ReceiveBuffer | undefined {
    return this.#next?.bufferFor?.(header, length);
  }

  activity(): void {
    this.#next?.activity?.();
  }

  lost(problem: string, how?: "expelled"): void {
    if (this.#next) this.#next.lost(problem, how);
    else {
      this.#lost = problem;
      if (!this.#isProven || !this.#hasProven) this.#refuse("The other side closed the connection.");
    }
  }

  #takeHello(bytes: Uint8Array): void {
    const nameLength = bytes.length - nameAt;
    if (bytes[2] !== version || nameLength < 1 || nameLength > maxNameBytes) {
      this.#refuse(
        bytes[2] === version
          ? "The other side's hello is malformed."
          : "The other side uses a different version of the protocol.",
      );
      return;
    }
    const name = new TextDecoder().decode(bytes.subarray(nameAt));
    this.#hello = { nonce: bytes.slice(nonceAt, nameAt), name };
    void this.#sendTag(this.#hello);
  }

  async #sendTag(hello: { readonly nonce: Uint8Array; readonly name: string }): Promise<void> {
    const key = await this.#hmacKey();
    const transcript = this.#transcript(this.#options.isDialler, hello);
    const proof = new Uint8Array(2 + tagBytes);
    proof[0] = proofKind;
    proof.set(new Uint8Array(await crypto.subtle.sign("HMAC", key, transcript)), 2);
    if (this.#isRefused) return;
    this.#channel.post(proof, nothing);
    this.#hasProven = true;
    this.#finish();
  }

  async #takeTag(
    bytes: Uint8Array,
    hello: { readonly nonce: Uint8Array; readonly name: string },
  ): Promise<void> {
    const tag = Uint8Array.from(bytes.subarray(2));
    this.#tag = tag;
    const key = await this.#hmacKey();
    const transcript = this.#transcript(!this.#options.isDialler, hello);
    const isProven = tag.length === tagBytes && (await crypto.subtle.verify("HMAC", key, tag, transcript));
    if (this.#isRefused) return;
    if (!isProven) {
      this.#refuse(
        "The other side does not hold the room's key, or somebody in between altered the connection.",
      );
      return;
    }
    this.#isProven = true;
    this.#finish();
  }

  /** Completes the handshake once both sides have proved the key. */
  #finish(): void {
    if (!this.#isProven || !this.#hasProven || !this.#hello) return;
    this.#stopTimer();
    this.#resolve({ name: this.#hello.name, channel: this.#rest() });
  }

  #hmacKey(): Promise<CryptoKey> {
    return deriveBytes(this.#options.key, "link", 32).then((bytes) =>
      crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]),
    );
  }

  /** The input of the dialler's or the listener's HMAC: each part with its length before it. */
  #transcript(
    isDiallers: boolean,
    hello: { readonly nonce: Uint8Array; readonly name: string },
  ): Uint8Array<ArrayBuffer> {
    const { isDialler, name, binding } = this.#options;
    const own = [new TextEncoder().encode(name), binding.own, this.#nonce];
    const other = [new TextEncoder().encode(hello.name), binding.other, hello.nonce];
    const [dialler, taker] = isDialler ? [own, other] : [other, own];
    const parts = [Uint8Array.of(version, isDiallers ? 1 : 2), ...dialler, ...taker];
    const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + 4 + length, 0));
    let at = 0;
    for (const part of parts) {
      new DataView(bytes.buffer).setUint32(at, part.length, true);
      bytes.set(part, at + 4);
      at += 4 + part.length;
    }
    return bytes;
  }

  /** The channel after the handshake. */
  #rest(): FrameChannel {
    const channel = this.#channel;
    return {
      path: channel.path,
      frameBytes: channel.frameBytes,
      start: (receiver) => {
        this.#next = receiver;
        for (const bytes of this.#early.splice(0)) receiver.frame(bytes);
        if (this.#lost !== undefined) receiver.lost(this.#lost);
      },
      post: (header, part) => channel.post(header, part),
      writable: () => channel.writable(),
      close: () => channel.close(),
    };
  }

  #refuse(why: string): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#stopTimer();
    this.#channel.close();
    this.#reject(
      new CrinkleError({
        tag: "Refused",
        problem: `A connection over ${this.#channel.path} was refused. ${why}`,
        remedy: "Open the room's complete invitation link again.",
      }),
    );
  }
}

const nothing = new Uint8Array(0);
