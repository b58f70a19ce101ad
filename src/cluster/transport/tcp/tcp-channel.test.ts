import * as net from "node:net";
import * as tls from "node:tls";
import { describe, expect, it } from "vitest";
import { FramedLink } from "../framed-link.ts";
import { defaultLimits } from "../link.ts";
import { linkSuite } from "../testing/link-suite.ts";
import { dialTcp } from "./dial.ts";
import { listenTcp } from "./listen.ts";
import { cipherSuite, identity, presharedKey } from "./secure.ts";
import type { TcpChannel } from "./tcp-channel.ts";

const key = Uint8Array.from({ length: 16 }, (_, i) => i * 7 + 1);

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function connect() {
  const accepted: TcpChannel[] = [];
  const listener = await listenTcp({ key, onChannel: (channel) => accepted.push(channel) });
  const a = await dialTcp({ key, host: listener.host, port: listener.port });
  await until(() => accepted.length > 0);
  return { a, b: accepted[0], until, end: () => listener.close() };
}

linkSuite("tcp", connect, process.env.CRINKLE_SWEEP === "1" ? 2 ** 30 : 2 ** 26);

describe("a channel over tcp", () => {
  /** A listener's channel, and the socket of a peer that holds the key but misbehaves. */
  const open = async () => {
    const accepted: TcpChannel[] = [];
    const listener = await listenTcp({ key, onChannel: (channel) => accepted.push(channel) });
    const { host, port } = listener;
    const pskCallback = () => ({ psk: presharedKey(key), identity });
    const socket = net.connect(port, host);
    const peer = tls.connect({ ...cipherSuite, socket, pskCallback });
    const reset = () => socket.resetAndDestroy();
    peer.on("error", () => {});
    await until(() => accepted.length > 0);
    listener.close();
    const [channel] = accepted;
    const frames: Uint8Array[] = [];
    const ends: (string | undefined)[] = [];
    const receiver = {
      frame: (bytes: Uint8Array) => frames.push(bytes),
      lost: (problem: string, how?: string) => ends.push(how ?? problem),
    };
    return { channel, receiver, peer, reset, frames, ends };
  };

  it.each([
    ["a frame that is too long", [1, 32, 4, 0]],
    ["a frame as long as memory", [255, 255, 255, 255]],
    ["an empty frame", [0, 0, 0, 0]],
  ])("expels a peer that announces %s", async (_, prefix) => {
    const { channel, receiver, peer, frames, ends } = await open();
    channel.start(receiver);
    peer.write(Uint8Array.from([...prefix, ...new Uint8Array(1000)]));
    await until(() => ends.length > 0 && peer.destroyed);
    expect(ends).toEqual(["expelled"]);
    expect(frames).toEqual([]);
  });

  it.each<[string, (side: { readonly peer: tls.TLSSocket; reset(): unknown }) => unknown]>([
    ["closes its half", ({ peer }) => peer.end()],
    ["is destroyed", ({ peer }) => peer.destroy()],
    ["resets the connection", ({ reset }) => reset()],
  ])("is lost when the other side %s within a frame, before the start or after", async (_, go) => {
    for (const startsFirst of [true, false]) {
      const { channel, receiver, peer, reset, frames, ends } = await open();
      if (startsFirst) channel.start(receiver);
      peer.write(Uint8Array.of(1, 0, 0, 0, 42, 100, 0, 0, 0, 1, 2));
      await pause(5);
      go({ peer, reset });
      await pause(5);
      if (!startsFirst) channel.start(receiver);
      await until(() => ends.length > 0 && peer.destroyed);
      channel.close();
      expect(ends.length).toBe(1);
      expect(ends[0]).toMatch(/^The (other side closed the connection|connection broke: .*)\.$/);
      expect(frames.length).toBeLessThanOrEqual(1);
      expect(channel.writable()).toBeUndefined();
    }
  });

  it("rejects a link's sends when the other side breaks off within a message", async () => {
    const { channel, peer, reset } = await open();
    const link = new FramedLink(channel, defaultLimits, () => performance.now());
    const ends: string[] = [];
    link.start({ message: () => {}, ended: ({ cause }) => ends.push(cause) });
    peer.pause();
    const sent = [1, 2].map((stream) =>
      link.send({ stream, head: new Uint8Array(0), body: new Uint8Array(2 ** 24) }),
    );
    const outcomes = Promise.allSettled(sent);
    await pause(10);
    reset();
    const tags = (await outcomes).map((one) => (one.status === "rejected" ? one.reason.tag : one.status));
    expect(tags).toEqual(["LinkClosed", "LinkClosed"]);
    await until(() => ends.length > 0);
    expect(ends).toEqual(["lost"]);
  });

  it("buffers a bounded number of bytes for a receiver that does not read, and continues when it does", async () => {
    const { channel, receiver, peer } = await open();
    channel.start(receiver);
    peer.pause();
    const part = new Uint8Array(channel.frameBytes - 16);
    const posted: (Promise<void> | undefined)[] = [];
    while (!channel.writable()) posted.push(channel.post(new Uint8Array(16), part));
    await pause(20);
    // What the system buffers is invisible; what waits here is one mebibyte, and the frame that exceeded
    // it.
    while (!channel.writable()) {
      posted.push(channel.post(new Uint8Array(16), part));
      await pause(0);
    }
    expect(channel.waitingBytes).toBeLessThan(2 ** 20 + 2 * channel.frameBytes);
    const room = channel.writable();
    let came = 0;
    peer.on("data", (bytes: Uint8Array) => {
      came += bytes.length;
    });
    peer.resume();
    await room;
    await Promise.all(posted);
    await until(() => came === posted.length * (channel.frameBytes + 4));
    expect(channel.waitingBytes).toBe(0);
    channel.close();
  });

  it("reads nothing from a sender before it starts", async () => {
    const { channel, receiver, peer, frames } = await open();
    let isFlushed = false;
    const flood = new Uint8Array(2 ** 26);
    for (let at = 0; at < flood.length; at += 2 ** 18) flood.set([252, 255, 3], at);
    peer.write(flood, () => {
      isFlushed = true;
    });
    await pause(50);
    expect(isFlushed).toBe(false);
    channel.start(receiver);
    await until(() => frames.length === 2 ** 8);
    expect(frames.every(({ length }) => length === 2 ** 18 - 4)).toBe(true);
    channel.close();
  });

  it("sends everything posted before it closes", async () => {
    const { channel, receiver, peer } = await open();
    channel.start(receiver);
    let came = 0;
    let isEnded = false;
    peer.on("data", (bytes: Uint8Array) => {
      came += bytes.length;
    });
    peer.on("end", () => {
      isEnded = true;
    });
    for (let k = 0; k < 100; k++) channel.post(new Uint8Array(16), new Uint8Array(200_000));
    channel.close();
    await until(() => isEnded);
    expect(came).toBe(100 * 200_020);
  });
});
