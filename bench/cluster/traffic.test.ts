import { MessageChannel } from "node:worker_threads";
import { expect, it } from "vitest";
import { FramedLink } from "../../src/cluster/transport/framed-link.ts";
import { defaultLimits } from "../../src/cluster/transport/link.ts";
import { type Port, PortChannel } from "../../src/cluster/transport/port/port-channel.ts";
import { drawRates, tableOf } from "./report.ts";
import { answer, measurePath } from "./traffic.ts";

const linkOver = (port: unknown) =>
  new FramedLink(new PortChannel(port as Port), defaultLimits, () => performance.now());

it("measures a path whose other side answers, and closes it", async () => {
  const { port1, port2 } = new MessageChannel();
  let isEnded = false;
  const far = linkOver(port2);
  answer(far, () => {
    isEnded = true;
  });
  const near = linkOver(port1);
  const traffic = { sizes: [64, 3000], roundTrips: 4, rounds: 3, roundBytes: 5000, maxMessages: 10 };
  const { name, roundTripMs, rates } = await measurePath("threads", near, traffic);
  expect(name).toBe("threads");
  expect(roundTripMs).toBeGreaterThan(0);
  expect(rates.map(({ messageBytes }) => messageBytes)).toEqual([64, 3000]);
  for (const { megabytesPerSecond } of rates) expect(megabytesPerSecond).toBeGreaterThan(0);
  // 1 + 4 echoes, then 2 + 3 rounds of 10 messages of 64 bytes and of 2 messages of 3000.
  expect(far.traffic.receivedMessages).toBe(5 + 5 * 10 + 5 * 2);
  while (!isEnded) await new Promise((resolve) => setTimeout(resolve, 1));
});

it("rejects if the link ends first", async () => {
  const { port1, port2 } = new MessageChannel();
  const measured = measurePath("threads", linkOver(port1), {
    sizes: [64],
    roundTrips: 4,
    rounds: 3,
    roundBytes: 64,
    maxMessages: 1,
  });
  port2.close();
  await expect(measured).rejects.toThrow("The threads link ended");
});

it("prints tables of the measurements and draws them", () => {
  const rates = [
    { messageBytes: 64, megabytesPerSecond: 1.2345 },
    { messageBytes: 2 ** 20, megabytesPerSecond: 1234.5 },
  ];
  const measurements = ["port", "tcp"].map((name) => ({ name, roundTripMs: 0.0321, rates }));
  expect(tableOf(measurements)).toBe(
    [
      "| path | round trip, µs | 64 B, MB/s | 1 MiB, MB/s |",
      "| --- | ---: | ---: | ---: |",
      "| port | 32.1 | 1.23 | 1230 |",
      "| tcp | 32.1 | 1.23 | 1230 |",
    ].join("\n"),
  );
  const svg = drawRates(measurements);
  expect(svg).toContain("port");
  expect(svg).not.toContain("NaN");
});
