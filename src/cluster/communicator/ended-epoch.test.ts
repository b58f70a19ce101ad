import { describe, expect, it } from "vitest";
import { makeRoom } from "../membership/testing/room.ts";
import { communicatorOf } from "./group-communicator.ts";

const longBytes = 2 ** 28;

describe("an epoch that ends during a long message", () => {
  it("sends no more of it, and releases what has arrived", async () => {
    const { network, seen, linkOf } = makeRoom(3, { seed: 4, delay: [1, 2] });
    const [first, second] = seen.map(({ member }) => communicatorOf(member.epoch.world));
    const into = new Uint8Array(8);
    const body = new Uint8Array(longBytes);
    const sent = first.send(1, body).catch((error) => error.tag);
    const waits = first.send(1, body).catch((error) => error.tag);
    const received = second.recv(0).catch((error) => error.tag);
    const late = second.recvInto(into, 0).catch((error) => error.tag);
    const bytesSent = () => linkOf(0, 1)?.traffic.sentBytes ?? 0;
    await network.run(() => bytesSent() > 2 ** 22, 10_000);
    network.kill(2);
    await network.run(() => seen[1].epochs.length > 1 && seen[0].epochs.length > 1, 20_000);
    expect(await Promise.all([sent, waits, received, late])).toEqual(Array(4).fill("RankFailed"));
    const atEnd = bytesSent();
    expect(atEnd).toBeLessThan(2 ** 25);
    await network.run(() => false, 5000);
    expect(bytesSent() - atEnd).toBeLessThan(2 ** 16);
    // The link still works.
    const next = await Promise.all([first.shrink(), second.shrink()]);
    const passed = Promise.all([next[0].send(1, Int32Array.of(7)), next[1].recv<Int32Array>(0)]);
    let got: number | undefined;
    void passed.then(([, { data }]) => {
      [got] = data;
    });
    await network.run(() => got !== undefined, 5000);
    expect(got).toBe(7);
  });

  it("allocates no memory if only the receiver knows that it has ended", async () => {
    const { network, seen, linkOf } = makeRoom(2, { seed: 4, delay: [1, 2] });
    const [first, second] = seen.map(({ member }) => communicatorOf(member.epoch.world));
    const sent = first.send(1, new Uint8Array(longBytes)).catch((error) => error.tag);
    const received = second.recv(0).catch((error) => error.tag);
    await network.run(() => (linkOf(1, 0)?.traffic.receivedBytes ?? 0) > 2 ** 20, 10_000);
    const before = process.memoryUsage().arrayBuffers;
    // Half of it has arrived: that part is released at once.
    seen[1].member.epoch.world.retire();
    expect(await received).toBe("Revoked");
    globalThis.gc?.();
    const held = process.memoryUsage().arrayBuffers - before;
    expect(held).toBeLessThan(globalThis.gc ? -longBytes / 2 : 2 ** 20);
    seen[0].member.epoch.world.retire();
    expect(await sent).toBe("Revoked");
  });
});
