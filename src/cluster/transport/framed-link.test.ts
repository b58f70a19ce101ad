import { describe, expect, it } from "vitest";
import {
  decodeFrame,
  encodeAbort,
  encodeAck,
  encodeBegin,
  encodeContinuation,
  headerBytes,
} from "../wire/frame.ts";
import type { ChannelReceiver, FrameChannel } from "./channel.ts";
import { FramedLink } from "./framed-link.ts";
import type { Message, MessageHeader } from "./link.ts";

/** A channel whose other side is the test. */
class FakeChannel implements FrameChannel {
  readonly path = "memory";
  readonly frameBytes = 2 ** 16;
  readonly posted: Uint8Array[] = [];
  receiver: ChannelReceiver | undefined;
  waiting: (() => void) | undefined;
  hasRoom = true;

  start(receiver: ChannelReceiver): void {
    this.receiver = receiver;
  }
  post(header: Uint8Array<ArrayBuffer>): undefined {
    this.posted.push(header);
  }
  writable(): Promise<void> | undefined {
    if (this.hasRoom) return undefined;
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }
  close(): void {}
}

const empty = new Uint8Array(0);

function frameOf(header: Uint8Array, part: Uint8Array): Uint8Array {
  const frame = new Uint8Array(header.length + part.length);
  frame.set(header);
  frame.set(part, header.length);
  return frame;
}

function open() {
  const channel = new FakeChannel();
  const clock = { ms: 0 };
  const limits = { messageBytes: 2 ** 30, windowBytes: 2 ** 20 };
  const link = new FramedLink(channel, limits, () => clock.ms);
  const messages: Message[] = [];
  const ends: string[] = [];
  link.start({ message: (message) => messages.push(message), ended: ({ cause }) => ends.push(cause) });
  if (!channel.receiver?.bufferFor || !channel.receiver.activity) throw new Error("the link does not listen");
  const { bufferFor, activity } = channel.receiver;
  return {
    channel,
    link,
    limits,
    clock,
    messages,
    ends,
    receiver: { ...channel.receiver, bufferFor, activity },
  };
}

describe("a link", () => {
  it("sends a side that does not read one acknowledgement, not a queue of them", async () => {
    const { channel, receiver, messages } = open();
    channel.hasRoom = false;
    const body = new Uint8Array(2 ** 18);
    const header = encodeBegin(1, empty, body.length);
    for (let k = 0; k < 100; k++) receiver.frame(frameOf(header, body));
    await Promise.resolve();
    expect(messages.length).toBe(100);
    expect(channel.posted).toEqual([]);
    channel.hasRoom = true;
    channel.waiting?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
    const bytes = 100 * (body.length + headerBytes);
    expect(channel.posted.map((frame) => decodeFrame(frame))).toEqual([{ kind: "ack", bytes }]);
  });

  it("receives the parts of a message in place", () => {
    const { link, receiver, messages } = open();
    receiver.frame(frameOf(encodeBegin(1, Uint8Array.of(9), 12), Uint8Array.of(0, 1, 2, 3)));
    for (const [position, values] of [
      [4, [4, 5, 6, 7, 8]],
      [9, [9, 10, 11]],
    ] as const) {
      const bufferFor = receiver.bufferFor(encodeContinuation(1, position), values.length);
      expect(bufferFor?.into.length).toBe(values.length);
      bufferFor?.into.set(values);
      bufferFor?.done();
    }
    expect(messages).toEqual([
      { stream: 1, head: Uint8Array.of(9), body: Uint8Array.from({ length: 12 }, (_, i) => i) },
    ]);
    expect(link.traffic.receivedBytes).toBe(24 + 4 + 2 * headerBytes + 8);
  });

  it("receives a body of several frames into memory chosen by its receiver", () => {
    const channel = new FakeChannel();
    const link = new FramedLink(channel, { messageBytes: 100, windowBytes: 2 ** 20 }, () => 0);
    const memory = new Uint8Array(8);
    const asked: MessageHeader[] = [];
    const bodies: Uint8Array[] = [];
    link.start({
      allocate: (message) => {
        asked.push(message);
        return message.head[0] === 1 ? memory : undefined;
      },
      message: ({ body }) => bodies.push(body),
      ended: () => {},
    });
    const receive = (header: Uint8Array, ...part: number[]) =>
      channel.receiver?.frame(frameOf(header, Uint8Array.from(part)));
    receive(encodeBegin(1, Uint8Array.of(1), 8), 1, 2, 3);
    receive(encodeContinuation(1, 3), 4, 5, 6, 7, 8);
    receive(encodeBegin(1, Uint8Array.of(2), 2), 9);
    receive(encodeContinuation(1, 1), 10);
    receive(encodeBegin(1, Uint8Array.of(1), 1), 11);
    expect(asked).toEqual([
      { stream: 1, head: Uint8Array.of(1), bodyBytes: 8 },
      { stream: 1, head: Uint8Array.of(2), bodyBytes: 2 },
    ]);
    expect(bodies).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], [9, 10], [11]].map((bytes) => Uint8Array.from(bytes)));
    expect(bodies[0]).toBe(memory);
    receive(encodeBegin(1, Uint8Array.of(1), 101), 1);
    expect(asked.length).toBe(2);
  });

  it("allocates no memory for a body that nobody wants, or for the rest of one", () => {
    const channel = new FakeChannel();
    const link = new FramedLink(channel, { messageBytes: 2 ** 32, windowBytes: 2 ** 20 }, () => 0);
    const bodies: Uint8Array[] = [];
    const ends: string[] = [];
    link.start({
      allocate: ({ head }) => (head[0] === 1 ? null : undefined),
      message: ({ body }) => bodies.push(body),
      ended: ({ problem }) => ends.push(problem),
    });
    const receive = (header: Uint8Array, ...part: number[]) =>
      channel.receiver?.frame(frameOf(header, Uint8Array.from(part)));
    const before = process.memoryUsage().arrayBuffers;
    receive(encodeBegin(1, Uint8Array.of(1), 2 ** 31), 1, 2);
    receive(encodeContinuation(1, 2), 3);
    expect(channel.receiver?.bufferFor?.(encodeContinuation(1, 3), 1)).toBeUndefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    receive(encodeAbort(1));
    receive(encodeBegin(1, Uint8Array.of(1), 3), 1, 2);
    receive(encodeContinuation(1, 2), 3);
    expect(bodies).toEqual([]);
    // Dropped bytes do not count towards the limit.
    receive(encodeBegin(1, Uint8Array.of(2), 3), 1, 2);
    receive(encodeBegin(2, Uint8Array.of(3), 3), 4, 5);
    link.drop((head) => head[0] === 2);
    receive(encodeContinuation(1, 2), 3);
    receive(encodeContinuation(2, 2), 6);
    expect(bodies).toEqual([Uint8Array.of(4, 5, 6)]);
    receive(encodeBegin(1, Uint8Array.of(1), 3), 1, 2);
    receive(encodeContinuation(1, 1), 3);
    expect(ends).toEqual([expect.stringContaining("unexpected bytes at position 1")]);
  });

  it("expels a peer that aborts a message that did not begin", () => {
    const { receiver, ends } = open();
    receiver.frame(encodeAbort(3));
    expect(ends).toEqual(["expelled"]);
  });

  it("drops unwanted messages: queued ones, and the rest of those in progress", async () => {
    const { channel, link } = open();
    channel.hasRoom = false;
    const done: string[] = [];
    const send = (name: string, stream: number, length: number) =>
      link
        .send({ stream, head: Uint8Array.of(name.charCodeAt(0)), body: new Uint8Array(length) })
        .then(() => done.push(name));
    const go = async () => {
      channel.waiting?.();
      for (let k = 0; k < 20; k++) await Promise.resolve();
    };
    channel.hasRoom = true;
    const long = send("a", 1, 2 ** 24);
    const other = send("b", 1, 2 ** 24);
    const kept = send("c", 1, 5);
    // The window is full by now.
    await go();
    const posted = link.traffic.sentBytes;
    expect(posted).toBeLessThan(2 ** 20 + 2 ** 16);
    link.drop((head) => head[0] < "c".charCodeAt(0));
    await other;
    expect(done).toEqual(["b"]);
    channel.receiver?.frame(encodeAck(posted));
    await Promise.all([long, kept]);
    expect(link.traffic.sentBytes - posted).toBe(headerBytes + 24 + 5);
    const [cut, last] = channel.posted.slice(-2).map((bytes) => bytes[0]);
    expect([cut, last]).toEqual([5, 1]);
  });

  it("applies a changed limit to messages that begin afterwards", () => {
    const { limits, receiver, messages, ends } = open();
    const header = encodeBegin(1, empty, 3);
    receiver.frame(frameOf(header, Uint8Array.of(1, 2, 3)));
    limits.messageBytes = 2;
    receiver.frame(frameOf(header, Uint8Array.of(1, 2, 3)));
    expect(messages.length).toBe(1);
    expect(ends).toEqual(["expelled"]);
  });

  it("provides no buffer for unexpected bytes", () => {
    const { link, receiver } = open();
    expect(receiver.bufferFor(encodeContinuation(1, 0), 1)).toBeUndefined();
    receiver.frame(frameOf(encodeBegin(1, empty, 12), new Uint8Array(4)));
    expect(receiver.bufferFor(encodeContinuation(1, 5), 1)).toBeUndefined();
    expect(receiver.bufferFor(encodeContinuation(1, 4), 9)).toBeUndefined();
    expect(receiver.bufferFor(encodeContinuation(2, 4), 8)).toBeUndefined();
    expect(receiver.bufferFor(encodeBegin(1, empty, 12), 8)).toBeUndefined();
    const bufferFor = receiver.bufferFor(encodeContinuation(1, 4), 8);
    expect(bufferFor?.into.length).toBe(8);
    link.close("enough");
    bufferFor?.done();
    expect(receiver.bufferFor(encodeContinuation(1, 4), 8)).toBeUndefined();
    expect(link.traffic.receivedMessages).toBe(0);
  });

  it("counts any byte as a sign of life, and alternates between streams despite a full window", async () => {
    const { channel, link, clock, receiver } = open();
    clock.ms = 7;
    receiver.activity();
    expect(link.lastReceivedAt).toBe(7);
    for (const stream of [2, 1]) {
      link.send({ stream, head: empty, body: new Uint8Array(2 ** 21) }).catch(() => {});
    }
    let taken = 0;
    const streams: number[] = [];
    for (let k = 0; k < 20; k++) {
      for (const [kind, stream] of channel.posted.splice(0)) if (kind <= 2) streams.push(stream);
      taken += channel.frameBytes;
      const acknowledgement = new Uint8Array(headerBytes);
      acknowledgement[0] = 3;
      new DataView(acknowledgement.buffer).setUint32(8, taken, true);
      receiver.frame(acknowledgement);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect(streams.slice(-16).filter((stream) => stream === 1).length).toBe(8);
    link.close("enough");
  });
});
