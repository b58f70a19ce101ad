import { describe, expect, it } from "vitest";
import type { CrinkleError } from "../../core/errors.ts";
import { communicatorOf } from "../communicator/group-communicator.ts";
import { add } from "../communicator/operators/elements.ts";
import { makeRoomKey } from "../room-key.ts";
import type { JoinRequest } from "./host.ts";
import { defaultRoomLimits } from "./limits.ts";
import { Room } from "./room.ts";
import { RoomNetwork } from "./testing/room-network.ts";

const idsOf = (rooms: readonly Room[]) => rooms.map((room) => room.epoch?.names);

describe("a room", () => {
  it("takes eight ranks that ask at once, and links each to each", async () => {
    const network = new RoomNetwork(1);
    const host = Room.open(network.options(0));
    const others = await network.until(Promise.all([1, 2, 3, 4, 5, 6, 7].map((node) => network.join(node))));
    await network.advance(100);
    const rooms = [host, ...others];
    expect(new Set(idsOf(rooms).map((names) => names?.join())).size).toBe(1);
    expect(host.epoch?.names.length).toBe(8);
    const sums = await network.until(
      Promise.all(
        rooms.map((room) => {
          if (!room.epoch) throw new Error("no epoch");
          return communicatorOf(room.epoch.world).allreduce<Int32Array>(Int32Array.of(1), add);
        }),
      ),
    );
    expect(sums.map(([sum]) => sum)).toEqual(Array(8).fill(8));
    expect(rooms.map((room) => room.isHost)).toEqual([true, ...Array(7).fill(false)]);
    await network.advance(3000);
    expect(host.members.map(({ rank, path, isSelf, isHost }) => [rank, path, isSelf, isHost])).toEqual(
      Array.from({ length: 8 }, (_, rank) => [rank, rank ? "memory" : "", !rank, !rank]),
    );
    expect(host.members[3].roundTripMs).toBeGreaterThan(0.1);
    expect(others[2].members.map(({ about }) => about.name).toSorted()).toEqual(
      Array.from({ length: 8 }, (_, node) => `person ${node}`),
    );
  });

  it("asks its host, who may refuse", async () => {
    const network = new RoomNetwork(2);
    const requests: JoinRequest[] = [];
    Room.open(network.options(0, { onJoinRequest: (request) => requests.push(request) }));
    const one = network.join(1);
    const two = network.join(2);
    two.catch(() => {});
    await network.advanceExactly(1000, () => requests.length === 2);
    expect(requests.map(({ about }) => about.name).toSorted()).toEqual(["person 1", "person 2"]);
    requests.find(({ about }) => about.name === "person 2")?.refuse("Not today.");
    await expect(network.until(two)).rejects.toMatchObject({ tag: "Refused", problem: "Not today." });
    requests.find(({ about }) => about.name === "person 1")?.admit();
    expect((await network.until(one)).epoch?.names.length).toBe(2);
  });

  it("refuses a wrong key, a rank too many, and a joiner without a host", async () => {
    const network = new RoomNetwork(3);
    Room.open(network.options(0, { limits: { ranks: 2 } }));
    await expect(network.until(network.join(1, { key: makeRoomKey() }))).rejects.toMatchObject({
      tag: "Refused",
    });
    await network.until(network.join(2));
    await expect(network.until(network.join(3))).rejects.toMatchObject({
      tag: "Refused",
      problem: expect.stringContaining("full"),
    });
    await expect(network.until(network.join(4, {}, 9))).rejects.toMatchObject({ tag: "Unreachable" });
  });

  it("continues if its host is lost: the lowest remaining rank admits the next", async () => {
    const network = new RoomNetwork(4);
    const host = Room.open(network.options(0));
    const one = await network.until(network.join(1));
    const two = await network.until(network.join(2));
    await network.advance(50);
    network.memory.kill(0);
    await network.advance(1000);
    expect(host.isHost).toBe(true);
    const [first, second] = [one, two].toSorted((a, b) => Number(b.isHost) - Number(a.isHost));
    expect([first.isHost, second.isHost]).toEqual([true, false]);
    expect(first.epoch?.names).toEqual([first.id, second.id]);
    const three = await network.until(network.join(3, {}, first === one ? 1 : 2));
    await network.advance(50);
    expect(three.epoch?.names).toEqual([first.id, second.id, three.id]);
    expect(second.epoch?.names).toEqual(three.epoch?.names);
  });

  it("reports a removed rank, and lets go of one that leaves", async () => {
    const network = new RoomNetwork(5);
    const host = Room.open(network.options(0));
    const ends: CrinkleError[] = [];
    const onLeft = (error: CrinkleError) => ends.push(error);
    const one = await network.until(network.join(1, { onLeft }));
    const two = await network.until(network.join(2));
    await network.advance(50);
    host.remove(one.id);
    await network.advance(1000);
    expect(ends).toMatchObject([{ tag: "Refused", problem: "The room's host removed this rank." }]);
    expect(host.epoch?.names).toEqual([host.id, two.id]);
    void two.leave();
    await network.advance(1000);
    expect(host.epoch?.names).toEqual([host.id]);
    expect(host.members.length).toBe(1);
  });

  it("can be joined through any member, which redirects to the host", async () => {
    const network = new RoomNetwork(8);
    const host = Room.open(network.options(0));
    const one = await network.until(network.join(1));
    const two = await network.until(network.join(2, {}, 1));
    await network.advance(50);
    expect(two.epoch?.names).toEqual([host.id, one.id, two.id]);
    const three = Room.join(network.options(3), [{ memory: "9" }, { memory: "2" }]);
    expect((await network.until(three)).epoch?.names.length).toBe(4);
  });

  it("removes a rank that was to be removed before it became a member, once it is one", async () => {
    const network = new RoomNetwork(10);
    const host = Room.open(network.options(0));
    const release = host.hold();
    const ends: CrinkleError[] = [];
    const joined = network.join(1, { onLeft: (error) => ends.push(error) });
    const stage = () => host.members.at(-1)?.stage;
    const isMeshed = async () => {
      while (stage() !== "meshed") await new Promise((resolve) => setTimeout(resolve, 0));
    };
    await network.until(isMeshed());
    host.remove(host.members[1].id);
    release();
    await network.until(joined);
    await network.advance(1000);
    expect(ends).toMatchObject([{ tag: "Refused" }]);
    expect(host.members.length).toBe(1);
  });

  it("lets only its host remove somebody", async () => {
    const network = new RoomNetwork(9);
    const host = Room.open(network.options(0));
    const [one, two] = [await network.until(network.join(1)), await network.until(network.join(2))];
    await network.advance(50);
    two.remove(one.id);
    await network.advance(1000);
    expect(host.epoch?.names).toEqual([host.id, one.id, two.id]);
  });

  it("applies changed limits", async () => {
    const network = new RoomNetwork(7);
    const host = Room.open(network.options(0));
    const limits = { ...defaultRoomLimits, ranks: 2 };
    await network.until(network.join(1));
    host.setLimits(limits);
    const full = { tag: "Refused", problem: "The room is full: its limit is 2 ranks." };
    await expect(network.until(network.join(2))).rejects.toMatchObject(full);
    host.setLimits({ ...limits, ranks: 3, joinsPerMinute: 1 });
    const often = { tag: "Refused", problem: expect.stringContaining("accepts 1 a minute") };
    await expect(network.until(network.join(2))).rejects.toMatchObject(often);
    host.setLimits({ ...limits, ranks: 3 });
    expect((await network.until(network.join(2))).epoch?.names.length).toBe(3);
  });

  it("begins no epoch while a job holds it", async () => {
    const network = new RoomNetwork(6);
    const host = Room.open(network.options(0));
    const release = host.hold();
    const joined = network.join(1);
    await expect(
      network.until(Promise.race([joined, new Promise((resolve) => setTimeout(() => resolve("waits"), 50))])),
    ).resolves.toBe("waits");
    expect(host.epoch?.number).toBe(1);
    release();
    expect((await network.until(joined)).epoch?.names.length).toBe(2);
  });
});
