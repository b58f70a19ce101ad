import { describe, expect, it } from "vitest";
import { randomOf } from "../transport/testing/random.ts";
import { makeRoom, nameOf } from "./testing/room.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";
const seeds = isSweep ? 20_000 : 120;

/** Kills, pauses, resumes and cuts at random moments, and then lets time pass. */
async function torment(seed: number) {
  const random = randomOf(seed * 7919 + 1);
  const upTo = (n: number) => Math.floor(random() * n);
  const size = 2 + upTo(6);
  const room = makeRoom(size, { seed, delay: [0.1, random() < 0.3 ? 300 : 3] });
  const dead = new Set<number>();
  const paused = new Set<number>();
  const log: string[] = [];
  const { network } = room;
  for (let faults = 1 + upTo(4); faults > 0; faults--) {
    await network.run(() => false, random() < 0.5 ? random() * 5 : random() * 8000);
    const node = upTo(size);
    const other = upTo(size);
    const isSilent = random() < 0.5;
    const what = random();
    log.push(`${network.now.toFixed(2)} ${what.toFixed(2)} ${node} ${other} ${isSilent}`);
    if (what < 0.4) {
      network.kill(node, isSilent);
      dead.add(node);
      if (random() < 0.5) {
        room.seen.forEach(({ member }, k) => {
          if (!dead.has(k) && !paused.has(k)) member.declareDead(nameOf(node));
        });
      }
    } else if (what < 0.6) {
      network.pause(node);
      paused.add(node);
    } else if (what < 0.7) {
      network.resume(node);
      paused.delete(node);
    } else if (what < 0.9) network.cut(node, other, isSilent);
    else if (!dead.has(node) && !paused.has(node)) {
      void room.seen[node].member.leave();
      dead.add(node);
    }
  }
  for (const node of paused) network.resume(node);
  await network.run(() => false, 40_000);
  return { room, dead, log };
}

describe("membership under a nemesis", () => {
  it(`agrees on every epoch, and nobody waits forever (${seeds} seeds)`, async () => {
    let epochs = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const { room, dead, log } = await torment(seed);
      const say = `seed ${seed}: ${log.join("; ")}`;
      const members = new Map<number, string>();
      for (const [node, { epochs: mine, left, member }] of room.seen.entries()) {
        for (const { number, names } of dead.has(node) ? [] : mine) {
          const known = members.get(number) ?? names.join();
          expect(`${number}: ${names.join()}`, say).toBe(`${number}: ${known}`);
          members.set(number, known);
        }
        epochs += mine.length - 1;
        if (dead.has(node) || left !== undefined) continue;
        // Whoever is still a member is in an epoch whose other members are all alive and agree.
        for (const name of member.epoch.names) {
          const other = Number(name.split(" ")[1]);
          expect(dead.has(other), `${say}: node ${node} counts on ${name}`).toBe(false);
          expect(room.seen[other].member.epoch.number, say).toBe(member.epoch.number);
          expect(room.seen[other].left, say).toBeUndefined();
        }
        expect(member.epoch.world.failed, say).toEqual([]);
      }
    }
    expect(epochs).toBeGreaterThan(seeds);
  }, 600_000);
});
