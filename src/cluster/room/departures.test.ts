import { describe, expect, it } from "vitest";
import type { JoinRequest } from "./host.ts";
import { Room } from "./room.ts";
import { RoomNetwork } from "./testing/room-network.ts";

/** Real time and a little of the network's until something holds. */
async function come(house: RoomNetwork, condition: () => boolean): Promise<void> {
  for (let k = 0; k < 2000 && !condition(); k++) {
    await house.advance(0.1);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  if (!condition()) throw new Error("it does not come to that");
}

describe("somebody who joins", () => {
  it("learns that the host died without a message, before it decided", async () => {
    const house = new RoomNetwork(21);
    const requests: JoinRequest[] = [];
    Room.open(house.options(0, { onJoinRequest: (request) => requests.push(request) }));
    const joined = house.join(1);
    joined.catch(() => {});
    await come(house, () => requests.length === 1);
    house.network.kill(0, true);
    const before = house.network.now;
    await expect(house.until(joined, 50)).rejects.toMatchObject({ tag: "Unreachable" });
    expect(house.network.now - before).toBeLessThan(8000);
  });

  it("does not ask where it was called off before, and is not linked to anybody after", async () => {
    const house = new RoomNetwork(22);
    const requests: JoinRequest[] = [];
    const host = Room.open(
      house.options(0, {
        onJoinRequest: (request) => {
          requests.push(request);
          request.admit();
        },
      }),
    );
    const one = await house.until(house.join(1));
    const off = AbortSignal.abort();
    const never = Room.join(house.options(2), [{ memory: "0" }], off);
    await expect(house.until(never)).rejects.toMatchObject({ tag: "Cancelled" });
    expect(requests.length).toBe(1);
    const stop = new AbortController();
    const joined = Room.join(house.options(3), [{ memory: "0" }], stop.signal);
    joined.catch(() => {});
    await come(house, () => host.members.some(({ stage }) => stage === "invited"));
    stop.abort();
    await expect(house.until(joined)).rejects.toMatchObject({ tag: "Cancelled" });
    for (let k = 0; k < 50; k++) await house.until(new Promise((resolve) => setTimeout(resolve, 1)));
    await house.advance(1000);
    expect(house.transports.openAt(3)).toBe(0);
    expect(host.members.length).toBe(2);
    expect(one.members.length).toBe(2);
  });

  it("gets in though another one, that it was told to link to, gives up", async () => {
    const house = new RoomNetwork(23);
    const stop = new AbortController();
    const host = Room.open(house.options(0));
    const release = host.hold();
    const first = Room.join(house.options(1), [{ memory: "0" }], stop.signal);
    first.catch(() => {});
    await come(house, () => host.members.some(({ stage }) => stage === "meshed"));
    const second = house.join(2);
    await come(house, () => host.members.filter(({ stage }) => stage === "invited").length === 1);
    stop.abort();
    release();
    const before = house.network.now;
    const room = await house.until(second, 20);
    expect(house.network.now - before).toBeLessThan(8000);
    await house.advance(7000);
    expect(room.epoch?.names).toEqual([host.id, room.id]);
    expect(host.epoch?.names).toEqual([host.id, room.id]);
  });

  it("holds its place no longer than it lives", async () => {
    const house = new RoomNetwork(24);
    const requests: JoinRequest[] = [];
    const host = Room.open(
      house.options(0, { limits: { ranks: 2 }, onJoinRequest: (one) => requests.push(one) }),
    );
    void house.join(1).catch(() => {});
    await come(house, () => requests.length === 1);
    house.network.kill(1, true);
    await house.advance(8000);
    expect(host.members.length).toBe(1);
  });
});
