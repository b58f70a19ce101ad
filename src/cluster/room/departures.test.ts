import { describe, expect, it } from "vitest";
import type { JoinRequest } from "./host.ts";
import { Room } from "./room.ts";
import { RoomNetwork } from "./testing/room-network.ts";

/** Lets the network's time pass until a condition holds. */
async function come(network: RoomNetwork, condition: () => boolean): Promise<void> {
  await network.advanceExactly(200, condition);
  if (!condition()) throw new Error("the condition does not become true");
}

describe("a joining peer", () => {
  it("learns that the host died without a message, before it decided", async () => {
    const network = new RoomNetwork(21);
    const requests: JoinRequest[] = [];
    Room.open(network.options(0, { onJoinRequest: (request) => requests.push(request) }));
    const joined = network.join(1);
    joined.catch(() => {});
    await come(network, () => requests.length === 1);
    network.memory.kill(0, true);
    const before = network.memory.now;
    await expect(network.until(joined, 50)).rejects.toMatchObject({ tag: "Unreachable" });
    expect(network.memory.now - before).toBeLessThan(8000);
  });

  it("sends no request if cancelled before, and is linked to nobody if cancelled after", async () => {
    const network = new RoomNetwork(22);
    const requests: JoinRequest[] = [];
    const host = Room.open(
      network.options(0, {
        onJoinRequest: (request) => {
          requests.push(request);
          request.admit();
        },
      }),
    );
    const one = await network.until(network.join(1));
    const off = AbortSignal.abort();
    const never = Room.join(network.options(2), [{ memory: "0" }], off);
    await expect(network.until(never)).rejects.toMatchObject({ tag: "Cancelled" });
    expect(requests.length).toBe(1);
    const stop = new AbortController();
    const joined = Room.join(network.options(3), [{ memory: "0" }], stop.signal);
    joined.catch(() => {});
    await come(network, () => host.members.some(({ stage }) => stage === "invited"));
    stop.abort();
    await expect(network.until(joined)).rejects.toMatchObject({ tag: "Cancelled" });
    await network.advanceExactly(1000);
    expect(network.transports.openAt(3)).toBe(0);
    expect(host.members.length).toBe(2);
    expect(one.members.length).toBe(2);
  });

  it("gets in even if another joiner, to which it was to link, gives up", async () => {
    const network = new RoomNetwork(23);
    const stop = new AbortController();
    const host = Room.open(network.options(0));
    const release = host.hold();
    const first = Room.join(network.options(1), [{ memory: "0" }], stop.signal);
    first.catch(() => {});
    await come(network, () => host.members.some(({ stage }) => stage === "meshed"));
    const second = network.join(2);
    await come(network, () => host.members.filter(({ stage }) => stage === "invited").length === 1);
    stop.abort();
    release();
    const before = network.memory.now;
    const room = await network.until(second, 20);
    expect(network.memory.now - before).toBeLessThan(8000);
    await network.advance(7000);
    expect(room.epoch?.names).toEqual([host.id, room.id]);
    expect(host.epoch?.names).toEqual([host.id, room.id]);
  });

  it("holds its place no longer than it lives", async () => {
    const network = new RoomNetwork(24);
    const requests: JoinRequest[] = [];
    const host = Room.open(
      network.options(0, { limits: { ranks: 2 }, onJoinRequest: (one) => requests.push(one) }),
    );
    void network.join(1).catch(() => {});
    await come(network, () => requests.length === 1);
    network.memory.kill(1, true);
    await network.advance(8000);
    expect(host.members.length).toBe(1);
  });
});
