import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FramedLink } from "../framed-link.ts";
import { defaultLimits, type Message } from "../link.ts";
import { linkSuite } from "../testing/link-suite.ts";
import type { RtcConnection, RtcEndpoint } from "./endpoint.ts";
import { lendRtc } from "./lend.ts";
import { openRtc } from "./open.ts";
import { pageSignalling } from "./options.ts";
import { addressOf } from "./protocol.ts";
import type { FromRank, ToRank } from "./testing/rank.ts";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

const signalling = pageSignalling(location.href);
const room = crypto.randomUUID().replaceAll("-", "");
let members = 0;
const newAddress = () => addressOf(room, `m${members++}`);

const incoming: RtcConnection[] = [];
const suspects: string[] = [];
let dialler: RtcEndpoint;
let listener: RtcEndpoint;
beforeAll(async () => {
  const suspect = (address: string) => suspects.push(address);
  dialler = await openRtc({ address: newAddress(), signalling, incoming: () => {}, suspect });
  const take = (connection: RtcConnection) => incoming.push(connection);
  listener = await openRtc({ address: newAddress(), signalling, incoming: take });
});
afterAll(() => {
  dialler.close();
  listener.close();
});

async function connect() {
  const dialled = await dialler.dial(listener.address);
  await until(() => incoming.length > 0);
  const [taken] = incoming.splice(0);
  return { dialled, taken };
}

linkSuite(
  "a browser's rtc",
  async () => {
    const { dialled, taken } = await connect();
    return { a: dialled.channel, b: taken.channel, until, end: () => {} };
  },
  2 ** 22,
);

describe("rtc in a browser", () => {
  it("tells both ends the same certificates", async () => {
    const { dialled, taken } = await connect();
    expect(dialled.binding.own).toEqual(taken.binding.other);
    expect(dialled.binding.other).toEqual(taken.binding.own);
    expect(dialled.binding.own).not.toEqual(dialled.binding.other);
    dialled.channel.close();
  });

  /** A port to lend by, of a browser that moves no channels. */
  function clumsy(port: MessagePort): Parameters<typeof lendRtc>[0] {
    return {
      postMessage(message: object, transfer: unknown) {
        if ("control" in message) throw new DOMException("no", "DataCloneError");
        port.postMessage(message, transfer as Transferable[]);
      },
      set onmessage(listener: MessagePort["onmessage"]) {
        port.onmessage = listener;
      },
    };
  }

  it.each([
    ["moves there", (port: MessagePort) => port],
    ["stays", clumsy],
  ])("brings messages to a worker and back where the channel %s, and their end", async (_, portOf) => {
    const worker = new Worker(new URL("./testing/rank.ts", import.meta.url), { type: "module" });
    const log: FromRank[] = [];
    worker.onmessage = ({ data }) => log.push(data);
    const { port1, port2 } = new MessageChannel();
    const address = newAddress();
    lendRtc(portOf(port1));
    const open: ToRank = { kind: "open", port: port2, address, signalling };
    worker.postMessage(open, [port2]);
    await until(() => log.length > 0);
    const { channel, binding } = await dialler.dial(address);
    expect(binding.other.length).toBe(32);
    const link = new FramedLink(channel, defaultLimits, () => performance.now());
    const heard: Message[] = [];
    link.start({ message: (message) => heard.push(message), ended: () => {} });
    const bodies = [0, 1, 300_000, 2_000_001].map((length) =>
      Uint8Array.from({ length }, (_, i) => i * 31 + (i >> 8)),
    );
    for (const [k, body] of bodies.entries()) {
      await link.send({ stream: 1, head: Uint8Array.of(k), body });
    }
    await until(() => heard.length === bodies.length);
    for (const { head, body } of heard) {
      const due = bodies[head[0]];
      expect([body.length, body.every((byte, i) => byte === due[i])]).toEqual([due.length, true]);
    }
    link.close("done");
    await until(() => log.length > 1);
    expect(log).toEqual([{ kind: "open" }, { kind: "ended", how: "goodbye" }]);
    worker.terminate();
    port1.close();
  });
});
