import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { randomOf } from "../../transport/testing/random.ts";
import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import { add } from "../operators/elements.ts";
import { defineReduction } from "../operators.ts";
import { rates } from "../testing/data.ts";
import { ExchangeNetwork } from "../testing/exchange-network.ts";
import { relayed, settleRanks } from "../testing/exchanges.ts";
import { allgather } from "./allgather.ts";
import { allreduce } from "./allreduce.ts";
import { alltoall } from "./alltoall.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { dataOf, entryOf, inlineItem, itemOf, pack, separateItem, unpack } from "./packet.ts";
import { reduce } from "./reduce.ts";
import { scatter } from "./scatter.ts";
import type { Tuning } from "./tuning.ts";

const malformed = expect.objectContaining({ tag: "BadMessage" });

describe("packets", () => {
  const items = [
    itemOf(3, Float64Array.of(1, -0, Number.NaN), "gather"),
    itemOf(0, { name: "ä", list: [1, null] }, "gather"),
    itemOf(1, new Uint8Array(0), "gather"),
    itemOf(2, Uint8Array.of(1, 2, 3, 4, 5), "gather"),
  ];

  it("hold items up to a limit, at multiples of 8, and describe the others", () => {
    const entries = unpack(pack(items.map((item) => entryOf(item, 23))), 4, 4);
    expect(entries.map(({ rank, length, placement }) => [rank, length, placement])).toEqual([
      [3, 24, "separate"],
      [0, items[1].bytes.length, items[1].bytes.length > 23 ? "separate" : "inline"],
      [1, 0, "inline"],
      [2, 5, "inline"],
    ]);
    expect(dataOf(separateItem(entries[0], items[0].bytes))).toEqual(Float64Array.of(1, -0, Number.NaN));
    expect(dataOf(inlineItem(entries[2]))).toEqual(new Uint8Array(0));
    expect(dataOf(inlineItem(entries[3]))).toEqual(Uint8Array.of(1, 2, 3, 4, 5));
    expect(entries[3].bytes && entries[3].bytes.byteOffset % 8).toBe(0);
    expect(() => separateItem(entries[0], new Uint8Array(23))).toThrow(malformed);
  });

  it("with unknown ranks, or a different number of items, are malformed", () => {
    const packet = pack(items.map((item) => entryOf(item, 100)));
    expect(unpack(packet, 4).length).toBe(4);
    expect(() => unpack(packet, 3)).toThrow(malformed);
    expect(() => unpack(packet, 4, 3)).toThrow(malformed);
  });

  it("that are cut or changed are malformed, or valid packets", () => {
    const packet = pack(items.map((item) => entryOf(item, 100)));
    for (let length = 0; length < packet.length; length++) {
      expect(() => unpack(packet.subarray(0, length), 4)).toThrow(malformed);
    }
    fc.assert(
      fc.property(fc.nat(packet.length - 1), fc.nat(255), (at, byte) => {
        const changed = packet.slice();
        changed[at] = byte;
        try {
          for (const entry of unpack(changed, 4)) if (entry.placement === "inline") dataOf(inlineItem(entry));
        } catch (error) {
          expect(error).toEqual(malformed);
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

/** Accepts anything: a received value need not be a list. */
const texts = defineReduction<Data>({ name: "texts", join: (a, b) => `${a} ${b}` });

/** Changes some bytes of what it sends, or drops some. */
function corrupting(exchange: Exchange, seed: number): Exchange {
  const random = randomOf(seed);
  return relayed(exchange, (to, slot, bytes) => {
    const changed = bytes.slice();
    for (let k = 0; k < 2 && changed.length > 0; k++) {
      changed[Math.floor(random() * Math.min(changed.length, 40))] = random() * 6;
    }
    const isCut = random() < 0.2;
    return exchange.send(to, slot, isCut ? changed.subarray(0, random() * changed.length) : changed);
  });
}

it("a rank that sends nonsense ends a call with an error that says so, or with wrong data", async () => {
  const list = (rank: number) => [rank, "word", { x: rank }];
  const tunings: Tuning[] = [
    rates,
    { ...rates, forced: { inlineLimit: 4 } },
    { ...rates, groups: [0, 0, 1, 1, 1] },
    { ...rates, forced: { inlineLimit: 4, bcast: "scatterAllgather" } },
  ];
  const calls: ((x: Exchange, tuning: Tuning) => Promise<unknown>)[] = [
    (x, tuning) => bcast(x, list(x.rank), 1, tuning),
    (x, tuning) => gather(x, list(x.rank), 0, tuning),
    (x, tuning) => scatter(x, x.rank === 1 ? [0, 1, 2, 3, 4].map(list) : undefined, 1, tuning),
    (x, tuning) => allgather(x, list(x.rank), tuning),
    (x, tuning) => alltoall(x, [0, 1, 2, 3, 4].map(list), tuning),
    (x, tuning) => reduce(x, Float64Array.of(x.rank, 2), add, 0, tuning),
    (x, tuning) => allreduce(x, Float64Array.of(x.rank, 2), add, tuning),
    (x, tuning) => allreduce<Data>(x, list(x.rank), texts, tuning),
  ];
  const tags = new Map<string, number>();
  for (let seed = 0; seed < 480; seed++) {
    const call = calls[seed % calls.length];
    const tuning = tunings[(seed >> 3) % tunings.length];
    const network = new ExchangeNetwork(5, seed);
    const ends = await settleRanks(network, (rank) => {
      const exchange = network.open(rank);
      return call(rank === 1 ? corrupting(exchange, seed) : exchange, tuning);
    });
    for (const end of ends) {
      const error = end.status === "rejected" ? end.reason : undefined;
      // What is announced and never sent is waited for: detecting that is the failure detector's task.
      const isWaiting = error instanceof Error && error.message.startsWith("stands still");
      if (error && !isWaiting) expect(error).toBeInstanceOf(CrinkleError);
      const tag = isWaiting ? "waits" : (error?.tag ?? "resolves");
      tags.set(tag, (tags.get(tag) ?? 0) + 1);
    }
  }
  expect([...tags.keys()].sort()).toEqual(["BadMessage", "Revoked", "Truncated", "resolves", "waits"]);
});
