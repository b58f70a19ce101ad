import { describe, expect, it } from "vitest";
import { dialTcp } from "./dial.ts";
import { openTcpTransport } from "./tcp-transport.ts";

const key = new Uint8Array(16).fill(5);
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("a way over TCP", () => {
  it("closes those who dialled before anybody listened, when it is closed", async () => {
    const way = await openTcpTransport({ key, host: "127.0.0.1" });
    const channel = await dialTcp({ key, host: "127.0.0.1", port: Number(way.address.split(":")[1]) });
    const lost = new Promise<string>((resolve) => channel.start({ frame: () => {}, lost: resolve }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    way.close();
    expect(await lost).toContain("closed");
    const before = timers();
    channel.close();
    expect(timers()).toBe(before);
  });

  it("has ended when the other side has taken the last bytes", async () => {
    const way = await openTcpTransport({ key, host: "127.0.0.1" });
    way.listen(({ channel }) => {
      for (let k = 0; k < 3; k++) channel.post(new Uint8Array(16), new Uint8Array(200_000));
      channel.close();
    });
    const channel = await dialTcp({ key, host: "127.0.0.1", port: Number(way.address.split(":")[1]) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    let frames = 0;
    let hasEnded = false;
    const ended = way.drained().then(() => {
      hasEnded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasEnded).toBe(false);
    channel.start({ frame: () => frames++, lost: () => {} });
    await ended;
    expect(frames).toBe(3);
    way.close();
  });
});
