import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeAck, encodeBegin, encodeContinuation, headerBytes } from "../../wire/frame.ts";
import type { FrameChannel } from "../channel.ts";
import { FramedLink } from "../framed-link.ts";
import { defaultLimits, type Link, type LinkEnd, type LinkLimits, type Message } from "../link.ts";

/** Two ends of a channel, each of a different rank. */
export interface ChannelPair {
  readonly a: FrameChannel;
  readonly b: FrameChannel;
  /** Waits until the condition holds; if time is simulated, advances it. */
  until(condition: () => boolean): Promise<void>;
  /** Releases what the pair holds. */
  end(): Promise<void> | void;
}

const empty = new Uint8Array(0);

class Listener {
  readonly messages: Message[] = [];
  end: LinkEnd | undefined;
  message(message: Message) {
    this.messages.push(message);
  }
  ended(end: LinkEnd) {
    if (this.end) throw new Error("a link ended twice");
    this.end = end;
  }
}

function bodyOf(length: number, seed: number): Uint8Array {
  const body = new Uint8Array(length);
  for (let i = 0; i < length; i++) body[i] = i * 31 + seed + (i >> 8);
  return body;
}

const messageOf = (stream: number, length: number, seed: number): Message => ({
  stream,
  head: bodyOf(seed % 40, seed),
  body: bodyOf(length, seed),
});

/**
 * The first index at which two arrays of one length differ, or −1: one expectation per byte would take
 * minutes.
 */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}

function expectSame(got: readonly Message[], expected: readonly Message[]): void {
  expect(got.map(({ stream, body }) => [stream, body.length])).toEqual(
    expected.map(({ stream, body }) => [stream, body.length]),
  );
  for (const [k, { head, body }] of expected.entries()) {
    expect(got[k].head).toEqual(head);
    expect(firstDifference(got[k].body, body)).toBe(-1);
    expect(got[k].body.byteOffset % 8).toBe(0);
  }
}

/**
 * What every transport's links must guarantee. `longest`: the length of the longest message, at least eight
 * frames.
 */
export function linkSuite(
  name: string,
  connect: () => Promise<ChannelPair> | ChannelPair,
  longest: number,
): void {
  const linked = async (limits: LinkLimits, use: (p: Linked) => Promise<void>) => {
    const { a, b, until, end } = await connect();
    const linkOf = (channel: FrameChannel) => new FramedLink(channel, limits, () => performance.now());
    const links = { a: linkOf(a), b: linkOf(b) };
    const heard = { a: new Listener(), b: new Listener() };
    links.a.start(heard.a);
    links.b.start(heard.b);
    try {
      await use({ ...links, heardByA: heard.a, heardByB: heard.b, frameBytes: a.frameBytes, until });
    } finally {
      links.a.close("the test is over");
      links.b.close("the test is over");
      await end();
    }
  };

  describe(`links over ${name}`, () => {
    it("deliver messages of any length whole and in order, both ways at once", async () => {
      await linked(defaultLimits, async ({ a, b, heardByA, heardByB, frameBytes, until }) => {
        const aroundAFrame = [-41, -32, -24, -17, -16, -15, 0, 1, frameBytes + 5].map((k) => frameBytes + k);
        const lengths = [0, 1, 7, 8, 100, 4095, 4096, 4097, 65_537, ...aroundAFrame, 0, 3];
        const there = lengths.map((length, k) => messageOf(1, length, k));
        const back = lengths.map((length, k) => messageOf(1, length + 1, k + 50));
        const sent = [...there.map((m) => a.send(m)), ...back.map((m) => b.send(m))];
        await until(
          () => heardByB.messages.length === there.length && heardByA.messages.length === back.length,
        );
        await Promise.all(sent);
        expectSame(heardByB.messages, there);
        expectSame(heardByA.messages, back);
        expect(a.traffic.sentMessages).toBe(there.length);
        expect(b.traffic.receivedMessages).toBe(there.length);
        const bytes = there.reduce((sum, { head, body }) => sum + head.length + body.length, 0);
        expect(a.traffic.sentBytes).toBeGreaterThan(bytes);
        expect(b.traffic.receivedBytes).toBeGreaterThanOrEqual(a.traffic.sentBytes);
      });
    });

    it(`deliver a message of ${longest} bytes`, { timeout: 120_000 }, async () => {
      await linked(defaultLimits, async ({ a, heardByB, until }) => {
        const message = messageOf(3, longest, 5);
        const sent = a.send(message);
        await until(() => heardByB.messages.length === 1);
        await sent;
        expectSame(heardByB.messages, [message]);
      });
    });

    it("let small messages of other streams overtake a long one", async () => {
      await linked(defaultLimits, async ({ a, heardByB, until }) => {
        const sent = [a.send(messageOf(2, Math.min(longest, 2 ** 26), 1))];
        for (let k = 0; k < 6; k++) sent.push(a.send(messageOf(k % 2, 10, k)));
        await until(() => heardByB.messages.length === 7);
        await Promise.all(sent);
        const streams = heardByB.messages.map(({ stream }) => stream);
        expect(streams[6]).toBe(2);
        for (const stream of [0, 1]) {
          const seeds = heardByB.messages.filter((m) => m.stream === stream).map((m) => m.body[0]);
          expect(seeds).toEqual([stream, stream + 2, stream + 4]);
        }
      });
    });

    it("deliver random messages on random streams, in order within each stream", async () => {
      const plan = fc.array(fc.record({ stream: fc.nat(15), length: fc.nat(200_000), fromA: fc.boolean() }), {
        maxLength: 25,
      });
      await fc.assert(
        fc.asyncProperty(plan, async (steps) => {
          await linked(defaultLimits, async ({ a, b, heardByA, heardByB, until }) => {
            const messages = steps.map(({ stream, length }, k) => messageOf(stream, length, k));
            const sent = steps.map(({ fromA }, k) => (fromA ? a : b).send(messages[k]));
            const toB = messages.filter((_, k) => steps[k].fromA);
            const toA = messages.filter((_, k) => !steps[k].fromA);
            await until(
              () => heardByA.messages.length === toA.length && heardByB.messages.length === toB.length,
            );
            await Promise.all(sent);
            const byStream = (list: readonly Message[]) => list.toSorted((x, y) => x.stream - y.stream);
            expectSame(byStream(heardByA.messages), byStream(toA));
            expectSame(byStream(heardByB.messages), byStream(toB));
          });
        }),
        { numRuns: 8 },
      );
    });

    it("send no more than a window ahead of a receiver that does not read", async () => {
      const { a, b, until, end } = await connect();
      const limits = { messageBytes: 2 ** 30, windowBytes: 2 ** 20 };
      const link = new FramedLink(a, limits, () => performance.now());
      link.start(new Listener());
      let came = 0;
      b.start({
        frame: (bytes) => {
          came += bytes.length;
        },
        lost: () => {},
      });
      let isDone = false;
      const sent = link.send({ stream: 1, head: empty, body: new Uint8Array(2 ** 22) }).then(
        () => {
          isDone = true;
        },
        (error) => expect(error.tag).toBe("LinkClosed"),
      );
      await until(() => came >= 2 ** 20);
      await pause(20);
      expect(isDone).toBe(false);
      expect(came).toBeLessThan(2 ** 20 + a.frameBytes);
      link.close("enough");
      await sent;
      await end();
    });

    it("tell the other side why they close, and refuse later messages", async () => {
      await linked(defaultLimits, async ({ a, b, heardByA, heardByB, until }) => {
        const before = a.send(messageOf(1, 10, 1));
        await before;
        a.close("the tab goes");
        await until(() => heardByB.end !== undefined);
        expect(heardByA.end).toEqual({ cause: "closed", problem: "the tab goes" });
        expect(heardByB.end).toEqual({ cause: "goodbye", problem: "the tab goes" });
        expect(heardByB.messages.length).toBe(1);
        await expect(a.send(messageOf(1, 1, 1))).rejects.toMatchObject({ tag: "LinkClosed" });
        await expect(b.send(messageOf(1, 1, 1))).rejects.toMatchObject({ tag: "LinkClosed" });
      });
    });

    it("reject sends that a close interrupts, and drop half a message", async () => {
      await linked({ messageBytes: 2 ** 30, windowBytes: 2 ** 20 }, async ({ a, b, heardByB, until }) => {
        const sent = [a.send(messageOf(1, 2 ** 23, 1)), a.send(messageOf(2, 2 ** 23, 1))];
        const outcomes = Promise.allSettled(sent);
        await until(() => b.traffic.receivedBytes > 2 ** 20);
        b.close("no more");
        await until(() => heardByB.end !== undefined);
        let settled: PromiseSettledResult<void>[] | undefined;
        void outcomes.then((all) => {
          settled = all;
        });
        await until(() => settled !== undefined);
        expect(settled?.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
        expect(heardByB.messages).toEqual([]);
      });
    });

    it("refuse overlong messages before they send a byte", async () => {
      await linked({ ...defaultLimits, messageBytes: 1000 }, async ({ a }) => {
        await expect(a.send(messageOf(1, 1001, 0))).rejects.toMatchObject({ tag: "BadArgument" });
        await expect(a.send({ ...messageOf(1, 1, 0), stream: 16 })).rejects.toMatchObject({
          tag: "BadArgument",
        });
        await expect(a.send({ stream: 1, head: new Uint8Array(5000), body: empty })).rejects.toMatchObject({
          tag: "BadArgument",
        });
        expect(a.traffic.sentBytes).toBe(0);
      });
    });

    it.each(hostileFrames())("expel a peer that sends %s", async (_, frames) => {
      const { a, b, until, end } = await connect();
      const heard = new Listener();
      const link = new FramedLink(b, { messageBytes: 2 ** 20, windowBytes: 2 ** 20 }, () =>
        performance.now(),
      );
      link.start(heard);
      a.start({ frame: () => {}, lost: () => {} });
      for (const bytes of frames) await a.post(bytes, empty);
      await until(() => heard.end !== undefined);
      expect(heard.end?.cause).toBe("expelled");
      expect(heard.messages).toEqual([]);
      a.close();
      await end();
    });
  });
}

interface Linked {
  readonly a: Link;
  readonly b: Link;
  readonly heardByA: Listener;
  readonly heardByB: Listener;
  readonly frameBytes: number;
  until(condition: () => boolean): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function hostileFrames(): [string, Uint8Array<ArrayBuffer>[]][] {
  const begin = (bodyBytes: number, part: number, stream = 1) => {
    const header = encodeBegin(stream, empty, bodyBytes);
    const bytes = new Uint8Array(header.length + part);
    bytes.set(header);
    return bytes;
  };
  const more = (position: number, part: number) => {
    const bytes = new Uint8Array(headerBytes + part);
    bytes.set(encodeContinuation(1, position));
    return bytes;
  };
  const reserved = encodeAck(0);
  reserved[5] = 1;
  return [
    ["half a header", [new Uint8Array(7)]],
    ["a frame of unknown kind", [new Uint8Array(20)]],
    ["a reserved byte", [reserved]],
    ["a message over the limit", [begin(2 ** 20 + 1, 8)]],
    [
      "several messages that are together over the limit",
      [begin(2 ** 19, 8, 1), begin(2 ** 19, 8, 2), begin(1000, 8, 3)],
    ],
    ["more than a message holds", [begin(100, 50), more(50, 51)]],
    ["a gap in a message", [begin(100, 50), more(60, 40)]],
    ["a continuation of no message", [more(0, 10)]],
    ["a message within another", [begin(100, 50), begin(100, 50)]],
    ["an acknowledgement of what was never sent", [encodeAck(1)]],
    ["an unknown stream", [begin(8, 8, 16)]],
  ];
}
