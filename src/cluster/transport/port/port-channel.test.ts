import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { linkSuite } from "../testing/link-suite.ts";
import { type Port, PortChannel } from "./port-channel.ts";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

// Node's types omit what its ports have in common with a browser's.
function ports(): [Port, Port] {
  const { port1, port2 } = new MessageChannel();
  return [port1 as unknown as Port, port2 as unknown as Port];
}

function connect() {
  const [a, b] = ports().map((port) => new PortChannel(port));
  return { a, b, until, end: () => {} };
}

linkSuite("port", connect, process.env.CRINKLE_SWEEP === "1" ? 2 ** 30 : 2 ** 26);

describe("a channel over a port", () => {
  const open = () => {
    const [ours, theirs] = ports();
    const heard: [problem: string, how: string | undefined][] = [];
    const channel = new PortChannel(ours);
    const receiver = {
      frame: () => {
        throw new Error("there is no frame");
      },
      lost: (problem: string, how?: string) => heard.push([problem, how]),
    };
    return { channel, receiver, theirs, heard };
  };

  const buffer = (length: number) => new ArrayBuffer(length);
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a text", "frame"],
    ["an array of bytes", new Uint8Array(20)],
    ["shared memory", new SharedArrayBuffer(20)],
    ["an empty buffer", buffer(0)],
    ["more than a frame", buffer(2 ** 23)],
    ["an object with traps", { byteLength: 20, toString: null }],
  ])("expels a peer that posts %s", async (_, message) => {
    const { channel, receiver, theirs, heard } = open();
    channel.start(receiver);
    theirs.postMessage(message, []);
    theirs.postMessage(message, []);
    await until(() => heard.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(heard.map(([, how]) => how)).toEqual(["expelled"]);
  });

  it("is lost, once, when the other side closes its port or the owner says so, before the start or after", async () => {
    const closed = open();
    closed.channel.start(closed.receiver);
    closed.theirs.close();
    await until(() => closed.heard.length > 0);
    closed.channel.fail("again");
    expect(closed.heard).toEqual([["The other side went away.", undefined]]);

    const failed = open();
    failed.channel.fail("The tab is gone.");
    failed.channel.start(failed.receiver);
    expect(failed.heard).toEqual([["The tab is gone.", undefined]]);
  });
});
