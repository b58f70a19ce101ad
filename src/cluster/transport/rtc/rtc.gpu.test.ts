import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FramedLink } from "../framed-link.ts";
import { defaultLimits, type LinkEnd, type Message } from "../link.ts";
import { linkSuite } from "../testing/link-suite.ts";
import { openRtc } from "./open.ts";
import { pageSignalling } from "./options.ts";
import { addressOf } from "./protocol.ts";
import { type ProxyPort, startRtcProxyHost } from "./rtc-proxy-host.ts";
import { openPair, type Pair, testConnection, until } from "./testing/pair.ts";
import type { FromRank, ToRank } from "./testing/rank.ts";

const signalling = pageSignalling(location.href);
const room = crypto.randomUUID().replaceAll("-", "");
let members = 0;
const newAddress = () => addressOf(room, `m${members++}`);

let pair: Pair;
beforeAll(async () => {
  pair = await openPair((options) => openRtc({ address: newAddress(), signalling, ...options }));
});
afterAll(() => {
  pair.dialler.close();
  pair.listener.close();
});

linkSuite(
  "a browser's rtc",
  async () => {
    const { dialled, taken } = await pair.connect();
    return { a: dialled.channel, b: taken.channel, until, end: () => {} };
  },
  2 ** 22,
);

describe("rtc in a browser", () => {
  testConnection(() => pair);

  it("counts received packets, including acknowledgements of messages that nobody reads", async () => {
    const { dialled } = await pair.connect();
    const before = (await dialled.packetsReceived()) ?? Number.NaN;
    let now = before;
    while (now < before + 2) {
      dialled.channel.post(new Uint8Array(16), new Uint8Array(0));
      now = (await dialled.packetsReceived()) ?? Number.NaN;
      expect(now).toBeGreaterThanOrEqual(before);
    }
    dialled.channel.close();
    await dialled.packetsReceived();
  });

  /** A port of a browser that cannot transfer channels. */
  const clumsy = (port: MessagePort): ProxyPort => ({
    postMessage(message: object, transfer: unknown) {
      if ("control" in message) throw new DOMException("no", "DataCloneError");
      port.postMessage(message, transfer as Transferable[]);
    },
    set onmessage(listener: MessagePort["onmessage"]) {
      port.onmessage = listener;
    },
    close: () => port.close(),
  });

  async function openRank(ofEndpoint?: (port: MessagePort) => ProxyPort, addresses = [newAddress()]) {
    const worker = new Worker(new URL("./testing/rank.ts", import.meta.url), { type: "module" });
    const log: FromRank[] = [];
    worker.onmessage = ({ data }) => log.push(data);
    const { port1, port2 } = new MessageChannel();
    const end = startRtcProxyHost(port1, ofEndpoint);
    const open: ToRank = { kind: "open", port: port2, addresses, signalling };
    worker.postMessage(open, [port2]);
    await until(() => log.length > 0);
    return { worker, log, addresses, end };
  }

  async function dialLink(address: string) {
    const { channel } = await pair.dialler.dial(address);
    const link = new FramedLink(channel, defaultLimits, () => performance.now());
    const heard: Message[] = [];
    const ends: LinkEnd[] = [];
    link.start({ message: (message) => heard.push(message), ended: (end) => ends.push(end) });
    return { link, heard, ends };
  }

  it.each([
    ["is transferred", undefined],
    ["stays", clumsy],
  ])("delivers messages to a worker and back if the channel %s, and their end", async (_, ofEndpoint) => {
    const { worker, log, addresses, end } = await openRank(ofEndpoint);
    const { link, heard } = await dialLink(addresses[0]);
    const bodies = [0, 1, 300_000, 2_000_001].map((length) =>
      Uint8Array.from({ length }, (_, i) => i * 31 + (i >> 8)),
    );
    for (const [k, body] of bodies.entries()) {
      await link.send({ stream: 1, head: Uint8Array.of(k), body });
    }
    await until(() => heard.length === bodies.length);
    for (const { head, body } of heard) {
      const expected = bodies[head[0]];
      expect([body.length, body.every((byte, i) => byte === expected[i])]).toEqual([expected.length, true]);
    }
    link.close("done");
    await until(() => log.length > 1);
    expect(log).toEqual([{ kind: "open" }, { kind: "ended", cause: "goodbye" }]);
    end();
    worker.terminate();
  });

  it.each([
    ["moved", undefined],
    ["stayed", clumsy],
  ])(
    "provides one worker with several endpoints, and ends them with it, if channels %s",
    async (_, ofEndpoint) => {
      const { worker, addresses, end } = await openRank(ofEndpoint, [newAddress(), newAddress()]);
      const links = [await dialLink(addresses[0]), await dialLink(addresses[1])];
      for (const { link } of links)
        await link.send({ stream: 1, head: new Uint8Array(1), body: new Uint8Array(9) });
      await until(() => links.every(({ heard }) => heard.length === 1));
      worker.terminate();
      end();
      await until(() => links.every(({ ends }) => ends.length === 1));
      expect(links.map(({ ends }) => ends[0].cause)).toEqual(["lost", "lost"]);
    },
  );
});
