import { describe, expect, it } from "vitest";
import type { Exchange } from "../exchange.ts";
import { add } from "../operators/elements.ts";
import { rates, sizes } from "../testing/data.ts";
import type { Counts } from "../testing/exchange-network.ts";
import { relayed, runRanks } from "../testing/exchanges.ts";
import { concatenate } from "../testing/operators.ts";
import { allgather } from "./allgather.ts";
import { allreduce } from "./allreduce.ts";
import { alltoall } from "./alltoall.ts";
import { barrier } from "./barrier.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { reduce } from "./reduce.ts";
import { reduceScatter } from "./reduce-scatter.ts";
import { exscan, scan } from "./scan.ts";
import { scatter } from "./scatter.ts";
import type { Forced, Tuning } from "./tuning.ts";

/** Divisible by all numbers of ranks. */
const elements = 840;
const n = 8 * elements;
const data = () => new Float64Array(elements);

/** Bytes of a packet besides its items, whose lengths are multiples of 8 here. */
const packet = (entries: number) => 8 + 16 * entries;

const counted = async (
  size: number,
  part: (exchange: Exchange) => Promise<unknown>,
): Promise<readonly Counts[]> => (await runRanks(size, size, part)).counts;

const forcing = (forced: Forced): Tuning => ({ ...rates, forced });
const packed = forcing({ inlineLimit: n, bcast: "binomial" });
const apart = forcing({ inlineLimit: 0, bcast: "binomial" });

const sum = (counts: readonly Counts[], key: keyof Counts) => counts.reduce((all, one) => all + one[key], 0);

describe.each(sizes)("messages and bytes of %i ranks", (size) => {
  const steps = Math.ceil(Math.log2(size));
  const power = 2 ** Math.floor(Math.log2(size));
  const doublings = Math.log2(power);
  const over = size - power;
  const others = (n * (size - 1)) / size;
  const root = size >> 1;

  it("barrier: ⌈log₂ p⌉ empty messages per rank", async () => {
    for (const one of await counted(size, (exchange) => barrier(exchange, rates))) {
      expect(one).toEqual({ sentMessages: steps, sentBytes: 0, receivedMessages: steps, receivedBytes: 0 });
    }
  });

  it("bcast, binomial: one message to each rank, ⌈log₂ p⌉ from the root", async () => {
    const counts = await counted(size, (exchange) => bcast(exchange, data(), root, packed));
    expect(counts[root]).toMatchObject({ sentMessages: steps, receivedMessages: 0 });
    for (const [rank, one] of counts.entries()) {
      if (rank !== root) expect(one).toMatchObject({ receivedMessages: 1, receivedBytes: packet(1) + n });
    }
  });

  it("bcast, scatter and allgather: each byte once to each rank, and about twice from any", async () => {
    const tuning = forcing({ inlineLimit: 0, bcast: "scatterAllgather" });
    const counts = await counted(size, (exchange) => bcast(exchange, data(), root, tuning));
    for (const [rank, one] of counts.entries()) {
      if (rank !== root) expect(one.receivedBytes).toBe(packet(1) + n);
      expect(one.sentBytes).toBeLessThanOrEqual(2 * others + steps * packet(1));
    }
    expect(counts[root].receivedMessages).toBe(0);
  });

  it("gather and scatter: one message per rank, ⌈log₂ p⌉ at the root; long items go directly", async () => {
    const up = await counted(size, (exchange) => gather(exchange, data(), root, packed));
    expect(sum(up, "sentMessages")).toBe(size - 1);
    expect(up[root]).toMatchObject({ sentMessages: 0, receivedMessages: steps });
    expect(up[root].receivedBytes).toBe((size - 1) * (n + 16) + 8 * steps);
    const straight = await counted(size, (exchange) => gather(exchange, data(), root, apart));
    expect(straight[root].receivedMessages).toBe(steps + size - 1);
    for (const [rank, one] of straight.entries()) {
      if (rank !== root) expect(one.sentBytes).toBeLessThan(n + packet(size));
    }
    const parts = Array.from({ length: size }, data);
    const down = await counted(size, (exchange) => scatter(exchange, parts, root, packed));
    expect(sum(down, "sentMessages")).toBe(size - 1);
    expect(down[root]).toMatchObject({ sentMessages: steps, receivedMessages: 0 });
    expect(down[root].sentBytes).toBe((size - 1) * (n + 16) + 8 * steps);
    const direct = await counted(size, (exchange) => scatter(exchange, parts, root, apart));
    for (const [rank, one] of direct.entries()) {
      if (rank !== root) expect(one.receivedBytes).toBeLessThan(n + packet(size));
    }
  });

  it("allgather: ⌈log₂ p⌉ messages; long items around the ring", async () => {
    for (const one of await counted(size, (exchange) => allgather(exchange, data(), packed))) {
      expect(one).toMatchObject({ sentMessages: steps, sentBytes: (size - 1) * (n + 16) + 8 * steps });
    }
    for (const one of await counted(size, (exchange) => allgather(exchange, data(), apart))) {
      expect(one.sentMessages).toBe(steps + size - 1);
      expect(one.sentBytes).toBe((size - 1) * (n + 16) + 8 * steps);
    }
  });

  it("alltoall: one message to each other rank", async () => {
    const parts = Array.from({ length: size }, data);
    for (const one of await counted(size, (exchange) => alltoall(exchange, parts, packed))) {
      expect(one).toMatchObject({ sentMessages: size - 1, sentBytes: (size - 1) * (n + packet(1)) });
    }
  });

  it("alltoall: at most four at a time", async () => {
    const parts = Array.from({ length: size }, data);
    let most = 0;
    await counted(size, (exchange) => {
      const to = new Set<number>();
      const watched = relayed(exchange, async (rank, slot, bytes) => {
        most = Math.max(most, to.add(rank).size);
        await exchange.send(rank, slot, bytes);
        to.delete(rank);
      });
      return alltoall(watched, parts, packed);
    });
    expect(most).toBe(Math.min(4, size - 1));
  });

  it("reduce, binomial: the array once from each rank, at most ⌈log₂ p⌉ times to the root", async () => {
    const tuning = forcing({ reduce: "binomial" });
    for (let to = 0; to < size; to++) {
      const counts = await counted(size, (exchange) => reduce(exchange, data(), add, to, tuning));
      for (const [rank, one] of counts.entries()) {
        expect(one).toMatchObject(rank === to ? { sentMessages: 0 } : { sentMessages: 1, sentBytes: n });
      }
      expect(counts[to].receivedMessages).toBeLessThanOrEqual(steps);
    }
  });

  it("reduce, halving: 2 (p − 1)/p of the array at the root, less elsewhere", async () => {
    const counts = await counted(size, (exchange) =>
      reduce(exchange, data(), add, root, forcing({ reduce: "halving" })),
    );
    const folded = root < 2 * over ? n : 0;
    expect(counts[root].receivedBytes).toBe((2 * n * (power - 1)) / power + folded);
    expect(counts[root].receivedMessages).toBe(2 * doublings + (folded > 0 ? 1 : 0));
    for (const one of counts) expect(one.sentBytes).toBeLessThanOrEqual((n * (power - 1)) / power + n / 2);
  });

  it("allreduce, doubling: log₂ p arrays per rank, and two for each rank beyond a power of two", async () => {
    const counts = await counted(size, (exchange) =>
      allreduce(exchange, data(), add, forcing({ allreduce: "doubling" })),
    );
    expect(sum(counts, "sentMessages")).toBe(power * doublings + 2 * over);
    expect(sum(counts, "sentBytes")).toBe((power * doublings + 2 * over) * n);
    for (const one of counts) expect(one.sentMessages).toBeLessThanOrEqual(doublings + (over > 0 ? 1 : 0));
    const words = await counted(size, (exchange) => allreduce(exchange, "ä", concatenate, rates));
    expect(sum(words, "sentMessages")).toBe(power * doublings + 2 * over);
  });

  it("allreduce, halving: 2 log₂ p messages, 2 (p − 1)/p of the array per rank", async () => {
    const counts = await counted(size, (exchange) =>
      allreduce(exchange, data(), add, forcing({ allreduce: "halving" })),
    );
    expect(sum(counts, "sentMessages")).toBe(power * 2 * doublings + 2 * over);
    expect(sum(counts, "sentBytes")).toBe(2 * n * (power - 1) + 2 * over * n);
    if (over > 0) return;
    for (const one of counts) {
      expect(one).toMatchObject({ sentMessages: 2 * doublings, sentBytes: 2 * others });
    }
  });

  it("allreduce, ring: 2 (p − 1) messages, 2 (p − 1)/p of the array", async () => {
    const counts = await counted(size, (exchange) =>
      allreduce(exchange, data(), add, forcing({ allreduce: "ring" })),
    );
    for (const one of counts) {
      expect(one).toMatchObject({ sentMessages: 2 * (size - 1), sentBytes: 2 * others });
    }
  });

  it("reduceScatter: (p − 1)/p of the array in log₂ p or p − 1 messages", async () => {
    const counts = Array.from({ length: size }, () => elements / size);
    const halving = await counted(size, (exchange) =>
      reduceScatter(exchange, data(), counts, add, forcing({ reduceScatter: "halving" })),
    );
    expect(sum(halving, "sentMessages")).toBe(power * doublings + 2 * over);
    expect(sum(halving, "sentBytes")).toBe(n * (power - 1) + over * (n + n / size));
    const pairwise = await counted(size, (exchange) =>
      reduceScatter(exchange, data(), counts, add, forcing({ reduceScatter: "pairwise" })),
    );
    for (const one of pairwise) expect(one).toMatchObject({ sentMessages: size - 1, sentBytes: others });
  });

  it("scan and exscan: one array for each power of two of ranks on either side", async () => {
    const within = (ranks: number) => (ranks > 0 ? Math.ceil(Math.log2(ranks + 1)) : 0);
    const both = [
      await counted(size, (exchange) => scan(exchange, data(), add)),
      await counted(size, (exchange) => exscan(exchange, data(), add)),
    ];
    for (const [rank, one] of both.flatMap((counts) => [...counts.entries()])) {
      const [sent, received] = [within(size - 1 - rank), within(rank)];
      expect(one).toEqual({
        sentMessages: sent,
        sentBytes: sent * n,
        receivedMessages: received,
        receivedBytes: received * n,
      });
    }
  });

  it("in groups: only leaders communicate across groups", async () => {
    if (size < 3) return;
    const groups = Array.from({ length: size }, (_, rank) => (rank < 2 ? 0 : 1));
    const tuning = { ...rates, groups };
    let across = 0;
    const counting = (exchange: Exchange) =>
      relayed(exchange, (to, slot, bytes) => {
        if (groups[to] !== groups[exchange.rank]) across++;
        return exchange.send(to, slot, bytes);
      });
    const acrossOf = async (part: (exchange: Exchange) => Promise<unknown>) => {
      across = 0;
      await counted(size, (exchange) => part(counting(exchange)));
      return across;
    };
    expect(await acrossOf((exchange) => barrier(exchange, tuning))).toBe(2);
    expect(await acrossOf((exchange) => bcast(exchange, "word", root, tuning))).toBe(1);
    expect(await acrossOf((exchange) => allgather(exchange, "word", tuning))).toBe(2);
    expect(await acrossOf((exchange) => allreduce(exchange, "word", concatenate, tuning))).toBe(2);
  });
});
