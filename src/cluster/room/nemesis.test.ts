import { describe, expect, it } from "vitest";
import { randomOf } from "../transport/testing/random.ts";
import type { JoinRequest } from "./host.ts";
import type { Room } from "./room.ts";
import { Room as Rooms } from "./room.ts";
import type { RoomOptions } from "./room-options.ts";
import { RoomNetwork } from "./testing/room-network.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";
const seeds = isSweep ? 3000 : 60;
const nodes = 7;

/** One life of a node as a rank; each life has its own node. */
interface Life {
  readonly node: number;
  room: Room | undefined;
  /** The outcome of joining. */
  ended: "in" | "refused" | undefined;
  readonly epochs: Map<number, string>;
  hasLeft: boolean;
}

/**
 * Nodes join at random moments, ask the host or another member, and are admitted, refused or left waiting;
 * some leave, give up, are removed, die, freeze or are cut off from another. Then the host answers all
 * requests, and time passes.
 */
async function torment(seed: number) {
  const random = randomOf(seed * 7919 + 3);
  const upTo = (n: number) => Math.floor(random() * n);
  const network = new RoomNetwork(seed, [0.1, random() < 0.2 ? 150 : 2]);
  const lives: Life[] = [];
  const dead = new Set<number>();
  const frozen = new Set<number>();
  const requests: JoinRequest[] = [];
  const log: string[] = [];
  let isOver = false;
  const partsOf = (life: Life): RoomOptions => ({
    ...network.options(life.node, { id: `m${life.node}` }),
    onJoinRequest: (request) => {
      const fate = random();
      if (isOver || fate < 0.6) request.admit();
      else if (fate < 0.75) request.refuse("No.");
      else requests.push(request);
    },
    onEpoch: ({ number, names }) => life.epochs.set(number, names.join()),
    onLeft: () => {
      life.hasLeft = true;
    },
  });
  const enter = (node: number): Life => {
    const life: Life = { node, room: undefined, ended: undefined, epochs: new Map(), hasLeft: false };
    lives.push(life);
    return life;
  };
  const first = enter(0);
  first.room = Rooms.open(partsOf(first));
  first.ended = "in";
  const stops: AbortController[] = [];
  const hostNow = () => lives.find(({ room, hasLeft, node }) => room?.isHost && !hasLeft && !dead.has(node));
  for (let step = 0; step < 14; step++) {
    await network.advanceExactly(random() < 0.6 ? random() * 8 : random() * 3000);
    const what = random();
    const other = upTo(lives.length);
    const { node } = lives[other];
    const isSilent = random() < 0.5;
    log.push(`${network.memory.now.toFixed(2)} ${what.toFixed(2)} ${node} ${isSilent}`);
    if (what < 0.5 && lives.length < nodes) {
      const life = enter(lives.length);
      const stop = new AbortController();
      stops.push(stop);
      Rooms.join(
        partsOf(life),
        [{ memory: `${random() < 0.8 ? (hostNow()?.node ?? 0) : node}` }],
        stop.signal,
      ).then(
        (room) => {
          life.room = room;
          life.ended = "in";
        },
        () => {
          life.ended = "refused";
        },
      );
    } else if (what < 0.58) stops[upTo(stops.length)]?.abort();
    else if (what < 0.66 && !frozen.has(node)) {
      const { room } = lives[other];
      if (room && !dead.has(node)) {
        lives[other].hasLeft = true;
        void room.leave();
      }
    } else if (what < 0.76) {
      network.memory.kill(node, isSilent);
      dead.add(node);
    } else if (what < 0.84) {
      network.memory.pause(node);
      frozen.add(node);
    } else if (what < 0.9) network.memory.cut(node, upTo(lives.length), isSilent);
    else if (what < 0.95) {
      const host = hostNow();
      if (host && !frozen.has(host.node)) host.room?.remove(`m${node}`);
    } else requests.splice(upTo(requests.length), 1)[0]?.admit();
  }
  isOver = true;
  await network.advanceExactly(random() * 9000);
  for (const node of frozen) network.memory.resume(node);
  for (const request of requests) request.admit();
  await network.advanceExactly(60_000);
  return { network, lives, dead, say: `seed ${seed}: ${log.join("; ")}` };
}

describe("a room under a nemesis", () => {
  it(`ends every attempt to join, agrees on its members, and leaves nothing behind (${seeds} seeds)`, async () => {
    let joined = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const { network, lives, dead, say } = await torment(seed);
      const known = new Map<number, string>();
      const alive = lives.filter(({ node }) => !dead.has(node));
      for (const { node, ended, epochs, hasLeft, room } of alive) {
        expect(ended, `${say}: node ${node} waits forever`).toBeDefined();
        for (const [number, names] of epochs) {
          expect(`${number}: ${names}`, say).toBe(`${number}: ${known.get(number) ?? names}`);
          known.set(number, names);
        }
        if (ended === "refused" || hasLeft) {
          expect(network.transports.openAt(node), `${say}: node ${node} is out, and has links`).toBe(0);
          continue;
        }
        joined += node > 0 ? 1 : 0;
        for (const id of room?.epoch?.names ?? []) {
          const other = lives[Number(id.slice(1))];
          expect(dead.has(other.node), `${say}: node ${node} counts on ${id}`).toBe(false);
          expect(other.room?.epoch?.number, say).toBe(room?.epoch?.number);
        }
        expect(room?.members.length, `${say}: node ${node} keeps others`).toBe(room?.epoch?.names.length);
      }
      await Promise.all(alive.map(({ room }) => room?.leave()));
      await network.advanceExactly(20_000);
      for (const { node } of alive) expect(network.transports.openAt(node), `${say}: node ${node}`).toBe(0);
      const steps = network.memory.steps;
      await network.advanceExactly(100_000);
      expect(network.memory.steps - steps, `${say}: timers run on`).toBe(0);
    }
    expect(joined).toBeGreaterThan(seeds / 2);
  }, 600_000);
});
