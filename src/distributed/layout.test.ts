import { expect, it } from "vitest";
import { around, own } from "../core/primitives/access.ts";
import { defineKernel } from "../core/primitives/kernel.ts";
import { add } from "../core/primitives/operators.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import { arrayOf, randomElements, randomWords } from "../core/primitives/testing/data.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import type { DistributedPrimitives } from "./api.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { lengthsOf } from "./offsets.ts";
import { inProcess } from "./testing/in-process.ts";

/** Runs a program on all ranks at the same time; what each of them returns. */
const onRanks = <R>(
  size: number,
  program: (p: DistributedPrimitives, rank: number) => Promise<R>,
): Promise<R[]> =>
  Promise.all(
    inProcess(size).map((communicator) =>
      program(createDistributedPrimitives(communicator, createCpuPrimitives()), communicator.rank),
    ),
  );

it("makes vectors of even parts, and of parts of any lengths", async () => {
  const lengths = [3, 0, 1, 5];
  await onRanks(4, async (p, rank) => {
    expect(p.offsets(p.fromHost("u32", new Uint32Array(22), 2))).toEqual([0, 2, 5, 8, 11]);
    const part = new Float32Array(2 * lengths[rank]).fill(rank);
    const vector = await p.fromParts("f32", part, 2);
    expect(vector).toMatchObject({ length: 9, components: 2, offsets: [0, 3, 3, 4, 9] });
    const all = lengths.flatMap((length, k) => new Array<number>(2 * length).fill(k));
    expect([...(await p.toHost(vector))]).toEqual(all);
    const uneven = p.fromParts("f32", new Float32Array(rank === 2 ? 3 : 4), 2);
    await expect(uneven).rejects.toMatchObject({ tag: "BadArgument" });
  });
});

it("gives each rank its part, of views too", async () => {
  const local = createCpuPrimitives();
  await Promise.all(
    inProcess(3).map(async (communicator) => {
      const p = createDistributedPrimitives(communicator, local);
      const vector = p.fromHost("u32", Uint32Array.of(0, 1, 2, 3, 4, 5, 6));
      const partOf = async (of: typeof vector) => {
        const part = await p.localPart(of);
        const words = await local.toHost(part);
        part.release();
        return [...words];
      };
      const { rank } = communicator;
      expect(await partOf(vector)).toEqual(
        [
          [0, 1],
          [2, 3],
          [4, 5, 6],
        ][rank],
      );
      expect(await partOf(p.view(vector, 1, 5))).toEqual([[1], [2, 3], [4]][rank]);
      expect(await partOf(p.reversed(vector))).toEqual(
        [
          [6, 5],
          [4, 3],
          [2, 1, 0],
        ][rank],
      );
      expect(await partOf(vector)).toEqual(
        [
          [0, 1],
          [2, 3],
          [4, 5, 6],
        ][rank],
      );
    }),
  );
});

it("moves elements between ranks: by weights, and by a distance", async () => {
  await onRanks(3, async (p) => {
    const data = randomElements("i32", 30, 1);
    const vector = p.fromHost("i32", data, 3);
    const weighted = await p.rebalance(vector, [0, 3, 1]);
    expect(p.offsets(weighted)).toEqual([0, 0, 8, 10]);
    expect(await p.toHost(weighted)).toEqual(data);
    expect(p.offsets(await p.rebalance(weighted))).toEqual([0, 3, 6, 10]);
    for (const d of [-12, -10, -4, 0, 1, 9, 100]) {
      const shifted = await p.toHost(await p.shift(vector, d));
      const expected = Array.from({ length: 30 }, (_, w) => data[w - 3 * d] ?? 0);
      expect([...shifted], `by ${d}`).toEqual(expected);
    }
    await expect(p.rebalance(vector, [1, 2])).rejects.toMatchObject({ tag: "BadArgument" });
    await expect(p.rebalance(vector, [0, 0, 0])).rejects.toMatchObject({ tag: "BadArgument" });
    await expect(p.shift(vector, 0.5)).rejects.toMatchObject({ tag: "BadArgument" });
  });
});

const neighbours = defineKernel({
  name: "neighbours",
  inputs: {
    values: { type: "u32", access: around(2, 1) },
    pairs: { type: "u32", access: around(0, 1, 2) },
    own: { type: "u32", access: own },
  },
  constants: { count: { type: "u32" } },
  outputs: { sum: { type: "u32" } },
  text: `
    var sum = own() + pairs(2u * element) + 10u * pairs(2u * element + 1u);
    if (element >= 2u) { sum += 100u * values(element - 2u); }
    if (element + 1u < constants.count) { sum += 1000u * values(element + 1u); }
    out.sum = sum;`,
});

it("realigns vectors that are distributed otherwise, with halos", async () => {
  const n = 23;
  const [values, pairs, owned] = [n, 2 * n, n].map((length, k) =>
    randomWords(length, k + 1).map((word) => word % 10),
  );
  const expected = Array.from(
    owned,
    (x, i) =>
      x + pairs[2 * i] + 10 * pairs[2 * i + 1] + 100 * (values[i - 2] ?? 0) + 1000 * (values[i + 1] ?? 0),
  );
  await onRanks(4, async (p) => {
    for (const weights of [
      [1, 1, 1, 1],
      [0, 5, 0, 1],
      [9, 1, 0, 0],
    ]) {
      const inputs = {
        values: p.fromHost("u32", values),
        pairs: await p.rebalance(p.fromHost("u32", pairs), [...weights].reverse()),
        own: await p.rebalance(p.fromHost("u32", owned), weights),
      };
      const { sum } = await p.forEach(n, neighbours, { inputs, constants: { count: n } });
      expect([...(await p.toHost(sum))], `weights ${weights}`).toEqual(expected);
      expect(p.offsets(sum)).toEqual(p.offsets(inputs.own));
      const both = await p.zip([inputs.values, inputs.own], { name: "sum", text: "x0 + x1" }, "u32");
      expect([...(await p.toHost(both))]).toEqual(Array.from(values, (x, i) => x + owned[i]));
    }
  });
});

it("runs calls in their order, awaited or not, and reads vectors as earlier calls leave them", async () => {
  await onRanks(3, async (p, rank) => {
    const target = p.fromHost("u32", new Uint32Array(9));
    const kernel = { inputs: { table: target }, constants: {} };
    const ones = p.constant("u32", 9, 1);
    const before = p.reduce(target, add);
    const first = p.forEach(3, lookUp, kernel);
    const scatter = p.scatter(ones, p.counting("u32", 9), target);
    const after = p.reduce(p.reversed(target), add);
    const second = p.forEach(3, lookUp, kernel);
    target.release();
    await expect(p.reduce(target, add)).rejects.toMatchObject({ tag: "BadArgument" });
    if (rank === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await scatter;
    expect([await before, await after]).toEqual([0, 9]);
    expect([...(await p.toHost((await first).found))]).toEqual([0, 0, 0]);
    expect([...(await p.toHost((await second).found))]).toEqual([1, 1, 1]);
  });
});

const lookUp = defineKernel({
  name: "look up",
  inputs: { table: { type: "u32", access: { kind: "all" } } },
  constants: {},
  outputs: { found: { type: "u32" } },
  text: "out.found = table(8u - element);",
});

it("balances sorts of equal keys, of ascending ones, and of parts of different lengths", async () => {
  const n = 4000;
  const size = 4;
  for (const keys of [
    new Uint32Array(n).fill(7),
    Uint32Array.from({ length: n }, (_, i) => i),
    Uint32Array.from({ length: n }, (_, i) => (i % 10 === 0 ? i : 3)),
    randomWords(n, 3),
  ]) {
    await onRanks(size, async (p) => {
      for (const weights of [
        [1, 1, 1, 1],
        [0, 7, 1, 0],
      ]) {
        const order = await p.argsort(await p.rebalance(p.fromHost("u32", keys), weights));
        const lengths = lengthsOf(p.offsets(order));
        expect(Math.max(...lengths), lengths.join()).toBeLessThanOrEqual((1.125 * n) / size);
        const expected = Array.from(keys.keys()).sort((i, j) => keys[i] - keys[j] || i - j);
        expect([...(await p.toHost(order))]).toEqual(expected);
      }
    });
  }
});

it("is as exact as its parts where ranks have none", async () => {
  await onRanks(4, async (p, rank) => {
    const only = await p.fromParts("f32", arrayOf("f32", rank === 2 ? [3, -1, 2] : []));
    expect(await p.reduce(only, add)).toBe(4);
    expect(await p.argmin(only)).toBe(1);
    expect([...(await p.toHost(await p.exclusiveScan(only, add, 5, { reverse: true })))]).toEqual([6, 7, 5]);
    expect([...(await p.toHost(await p.sort(only)))]).toEqual([-1, 2, 3]);
    expect([...(await p.toHost(await p.lowerBound(p.view(only, 1, 3), only)))]).toEqual([2, 0, 1]);
  });
});

it("divides a vector as another one is divided, and refuses one of another length", async () => {
  await onRanks(3, async (p, rank) => {
    const like = await p.fromParts("u32", new Uint32Array([4, 0, 3][rank]));
    const values = p.counting("u32", 7);
    const moved = await p.rebalance(values, { like });
    expect(moved.offsets).toEqual(like.offsets);
    expect([...(await p.toHost(moved))]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const wrong = p.rebalance(p.counting("u32", 8), { like });
    await expect(wrong).rejects.toMatchObject({ tag: "BadArgument" });
  });
});

it("divides a vector by the speeds that ranks have shown since the last time", async () => {
  const speeds = [4, 1, 2, 1];
  await Promise.all(
    inProcess(4).map(async (communicator) => {
      const { rank } = communicator;
      let now = 0;
      const cpu = createCpuPrimitives();
      // Ranks scan so many elements in a millisecond, and do all else in no time.
      const local: Primitives = {
        ...cpu,
        inclusiveScan: (vector, ...rest) => {
          now += vector.length / speeds[rank];
          return cpu.inclusiveScan(vector, ...rest);
        },
      };
      const p = createDistributedPrimitives(communicator, local, () => now);
      const values = await p.fill("u32", 800, 1);
      expect((await p.rebalance(values, { by: "speed" })).offsets).toEqual([0, 200, 400, 600, 800]);
      await p.inclusiveScan(values, add);
      const fair = await p.rebalance(values, { by: "speed" });
      expect(fair.offsets).toEqual([0, 400, 500, 700, 800]);
      speeds.splice(0, 4, 4, 4, 4, 4);
      await p.inclusiveScan(fair, add);
      expect((await p.rebalance(fair, { by: "speed" })).offsets).toEqual([0, 200, 400, 600, 800]);
    }),
  );
});
