import { afterAll, describe, expect, it } from "vitest";
import { FramedLink } from "../framed-link.ts";
import { defaultLimits } from "../link.ts";
import { linkSuite } from "../testing/link-suite.ts";
import { openBroker } from "./open-broker.ts";
import { PortChannel } from "./port-channel.ts";
import type { FromMember, ToMember } from "./testing/member.ts";

const workers: Worker[] = [];
afterAll(() => {
  for (const worker of workers) worker.terminate();
});

const startMember = () => {
  const worker = new Worker(new URL("./testing/member.ts", import.meta.url), { type: "module" });
  workers.push(worker);
  const tell = (message: ToMember, port: MessagePort) => worker.postMessage(message, [port]);
  return { worker, tell };
};

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

linkSuite(
  "a browser's port",
  () => {
    const { port1, port2 } = new MessageChannel();
    return { a: new PortChannel(port1), b: new PortChannel(port2), until, end: () => {} };
  },
  2 ** 25,
);

describe("ports in a browser", () => {
  it("carry messages to a worker and back", async () => {
    const { port1, port2 } = new MessageChannel();
    const { tell } = startMember();
    tell({ kind: "echo", port: port2 }, port2);
    const link = new FramedLink(new PortChannel(port1), defaultLimits, () => performance.now());
    const heard: Uint8Array[] = [];
    link.start({ message: ({ body }) => heard.push(body), ended: () => {} });
    const body = Uint8Array.from({ length: 5_000_001 }, (_, i) => i * 31 + (i >> 8));
    await link.send({ stream: 1, head: new Uint8Array(3), body });
    await until(() => heard.length === 1);
    expect(heard[0].length).toBe(body.length);
    expect(heard[0].every((byte, i) => byte === body[i])).toBe(true);
    link.close("done");
  });

  it("are passed by the browser's broker to workers of a room, which notice when one ended", async () => {
    const room = crypto.randomUUID();
    const log: string[] = [];
    const join = (id: string) => {
      const { worker, tell } = startMember();
      worker.onmessage = ({ data }: MessageEvent<FromMember>) => {
        const what = data.kind === "heard" ? `hears “${new TextDecoder().decode(data.body)}”` : "misses";
        log.push(`${id} ${what} ${data.id}`);
      };
      const broker = openBroker();
      tell({ kind: "meet", room, id, broker }, broker);
      return worker;
    };
    const a = join("a");
    join("b");
    join("c");
    const pairs = ["a", "b", "c"].flatMap((one) => ["a", "b", "c"].map((other) => [one, other] as const));
    const expected = pairs
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => `${one} hears “from ${other}” ${other}`);
    await until(() => log.length === expected.length);
    expect(log.splice(0).toSorted()).toEqual(expected.toSorted());
    const from = performance.now();
    a.terminate();
    await until(() => log.length === 2);
    expect(log.toSorted()).toEqual(["b misses a", "c misses a"]);
    expect(performance.now() - from).toBeLessThan(1000);
  });
});
