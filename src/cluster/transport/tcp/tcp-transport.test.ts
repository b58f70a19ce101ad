import { describe, expect, it } from "vitest";
import { dialTcp } from "./dial.ts";
import { openTcpTransport } from "./tcp-transport.ts";

const key = new Uint8Array(16).fill(5);
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("a transport over TCP", () => {
  it("closes connections that nobody listened for, when it is closed", async () => {
    const transport = await openTcpTransport({ key, host: "127.0.0.1" });
    const channel = await dialTcp({ key, host: "127.0.0.1", port: Number(transport.address.split(":")[1]) });
    const lost = new Promise<string>((resolve) => channel.start({ frame: () => {}, lost: resolve }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    transport.close();
    expect(await lost).toContain("closed");
    const before = timers();
    channel.close();
    expect(timers()).toBe(before);
  });

  it("is drained when the other side has received the last bytes", async () => {
    const transport = await openTcpTransport({ key, host: "127.0.0.1" });
    transport.listen(({ channel }) => {
      for (let k = 0; k < 3; k++) channel.post(new Uint8Array(16), new Uint8Array(200_000));
      channel.close();
    });
    const channel = await dialTcp({ key, host: "127.0.0.1", port: Number(transport.address.split(":")[1]) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    let frames = 0;
    let hasEnded = false;
    const ended = transport.drained().then(() => {
      hasEnded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasEnded).toBe(false);
    channel.start({ frame: () => frames++, lost: () => {} });
    await ended;
    expect(frames).toBe(3);
    transport.close();
  });
});
