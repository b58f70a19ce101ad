import { describe, expect, it } from "vitest";
import { makeRoom, nameOf, type Room } from "./testing/room.ts";

const sizes = [1, 2, 3, 4, 5, 8];

/** Runs until no member has anything left to agree on, or all have left. */
const quiet = (room: Room, ms: number) => room.network.run(() => false, ms);

const lastNames = ({ seen }: Room, node: number) => seen[node].epochs.at(-1)?.names;

describe("members of a room", () => {
  it.each(sizes)("stay together if nothing happens (%i)", async (size) => {
    const room = makeRoom(size, { seed: size });
    await quiet(room, 30_000);
    for (const { epochs, left } of room.seen) {
      expect(epochs.length).toBe(1);
      expect(left).toBeUndefined();
    }
  });

  it.each(sizes.filter((size) => size > 1))(
    "agree on the remaining ones if one is killed (%i)",
    async (size) => {
      for (let victim = 0; victim < size; victim++) {
        const room = makeRoom(size, { seed: victim });
        await quiet(room, 100);
        room.network.kill(victim);
        room.seen.forEach(({ member }, node) => {
          if (node !== victim) member.declareDead(nameOf(victim));
        });
        await quiet(room, 1000);
        const expected = Array.from({ length: size }, (_, node) => nameOf(node)).filter(
          (_, node) => node !== victim,
        );
        for (const [node, { epochs }] of room.seen.entries()) {
          if (node === victim) continue;
          expect(epochs.map(({ number }) => number)).toEqual([1, 2]);
          expect(lastNames(room, node)).toEqual(expected);
          expect(epochs[0].world.failed).toEqual([victim]);
          expect(epochs[1].world.rank).toBe(expected.indexOf(nameOf(node)));
        }
      }
    },
  );

  it("detect silence within six seconds, and leave a frozen rank out when it wakes", async () => {
    const room = makeRoom(4, { seed: 3 });
    await quiet(room, 10_000);
    room.network.pause(1);
    const at = room.network.now;
    await room.network.run(() => [0, 2, 3].every((node) => room.seen[node].epochs.length === 2), 20_000);
    expect(room.network.now - at).toBeLessThan(5500);
    room.network.resume(1);
    await quiet(room, 1000);
    expect(room.seen[1].left).toContain("continued without this one");
    expect(lastNames(room, 3)).toEqual(["member 0", "member 2", "member 3"]);
  });

  it("leave as guests once all others have failed, and not while one is left", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const size = 2 + (seed % 3);
      const guest = size - 1;
      const killed = async (nodes: readonly number[]) => {
        const room = makeRoom(size, { seed }, [guest]);
        await quiet(room, 100 * seed);
        const at = room.network.now;
        for (const node of nodes) room.network.kill(node, true);
        await room.network.run(() => room.seen[guest].left !== undefined, 8000);
        return { ...room.seen[guest], ms: room.network.now - at };
      };
      const others = Array.from({ length: guest }, (_, node) => node);
      const { left, ms, epochs } = await killed(others);
      expect(left, `${seed}`).toBe("All other ranks of epoch 1 have gone.");
      expect(ms, `${seed}`).toBeLessThan(6500);
      await expect(epochs[0].world.next()).rejects.toMatchObject({ tag: "RankFailed" });
      if (size > 2) expect((await killed(others.slice(1))).left, `${seed}`).toBeUndefined();
    }
  });

  it("do not continue in two halves", async () => {
    const room = makeRoom(5, { seed: 4 });
    await quiet(room, 100);
    for (const a of [0, 1]) for (const b of [2, 3, 4]) room.network.cut(a, b, true);
    await quiet(room, 60_000);
    for (const node of [2, 3, 4]) expect(lastNames(room, node)).toEqual(["member 2", "member 3", "member 4"]);
    for (const node of [0, 1]) {
      expect(room.seen[node].epochs.length).toBe(1);
      expect(room.seen[node].left).toContain("not a majority");
      await expect(room.seen[node].epochs[0].world.next()).rejects.toMatchObject({ tag: "RankFailed" });
    }
  });

  it("learn at once that one leaves", async () => {
    const room = makeRoom(3, { seed: 5 });
    await quiet(room, 100);
    const at = room.network.now;
    void room.seen[0].member.leave();
    await room.network.run(() => [1, 2].every((node) => room.seen[node].epochs.length === 2), 1000);
    expect(room.network.now - at).toBeLessThan(20);
    expect(lastNames(room, 2)).toEqual(["member 1", "member 2"]);
    await quiet(room, 30_000);
    expect(room.seen[1].epochs.length).toBe(2);
  });

  it("leave out one of two that cannot see each other", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const room = makeRoom(4, { seed });
      room.network.cut(1, 3, seed % 2 === 0);
      await quiet(room, 20_000);
      const names = lastNames(room, 0);
      expect(names?.length).toBe(3);
      for (const node of [0, 1, 2, 3]) {
        if (names?.includes(nameOf(node))) expect(lastNames(room, node)).toEqual(names);
        else expect(room.seen[node].left).toBeDefined();
      }
    }
  });

  it("begin another epoch together if all ask for it, without a failure", async () => {
    const room = makeRoom(4, { seed: 6 });
    const asked = room.seen.map(({ member }) => member.epoch.world.next());
    await quiet(room, 2000);
    const next = await Promise.all(asked);
    expect(next.map(({ survivors }) => survivors)).toEqual(Array(4).fill([0, 1, 2, 3]));
    expect(room.seen.map(({ epochs }) => epochs.length)).toEqual([2, 2, 2, 2]);
  });

  it("leave in time even if another reads nothing more", async () => {
    const room = makeRoom(3, { seed: 7, highWaterBytes: 2 ** 12 });
    const { member } = room.seen[0];
    room.network.pause(1);
    const link = room.linkOf(0, 1);
    for (let k = 0; k < 64; k++) {
      link
        ?.send({ stream: 0, head: new Uint8Array(4096).fill(0x80), body: new Uint8Array(0) })
        .catch(() => {});
    }
    let hasLeft = false;
    void member.leave().then(() => {
      hasLeft = true;
    });
    await quiet(room, 3000);
    expect(hasLeft).toBe(true);
    const word = { stream: 0, head: new Uint8Array(1), body: new Uint8Array(0) };
    await expect(link?.send(word)).rejects.toMatchObject({ tag: "LinkClosed" });
  });

  it("do nothing more once they have left, whatever is asked of them", async () => {
    const room = makeRoom(2, { seed: 8 });
    const { member } = room.seen[0];
    await quiet(room, 100);
    await member.leave();
    room.network.kill(1, true);
    member.remove("member 1");
    member.declareDead("member 1");
    member.admit(["member 9"]);
    await expect(member.epoch.world.next()).rejects.toMatchObject({ tag: "RankFailed" });
    await quiet(room, 1000);
    const { steps } = room.network;
    await quiet(room, 100_000);
    expect(room.network.steps).toBe(steps);
  });
});
