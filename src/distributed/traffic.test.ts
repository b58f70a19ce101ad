import { expect, it } from "vitest";
import { around, own } from "../core/primitives/access.ts";
import { defineKernel } from "../core/primitives/kernel.ts";
import { add } from "../core/primitives/operators.ts";
import { randomWords } from "../core/primitives/testing/data.ts";
import type { Vector } from "../core/primitives/vector.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import type { DistributedPrimitives } from "./api.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { counting } from "./testing/counting.ts";
import { inProcess } from "./testing/in-process.ts";

const size = 4;
const n = 4000;

/** The most words that a rank sends in a call, of those that `prepare` makes for it. */
async function sentBy<P>(
  prepare: (p: DistributedPrimitives) => Promise<P>,
  call: (p: DistributedPrimitives, prepared: P) => Promise<unknown>,
): Promise<number> {
  const sent = await Promise.all(
    inProcess(size).map(async (communicator) => {
      const counted = counting(communicator);
      const p = createDistributedPrimitives(counted, createCpuPrimitives());
      const prepared = await prepare(p);
      await p.count(p.counting("u32", 1), 0);
      counted.sent = 0;
      await call(p, prepared);
      return counted.sent;
    }),
  );
  return Math.max(...sent);
}

const random = async (p: DistributedPrimitives) => p.fromHost("u32", randomWords(n, 1));

/** Status words, totals, lengths: whatever does not grow with n. */
const few = 40;

it("sends nothing of vectors whose elements stay where they are", async () => {
  const stay: Readonly<Record<string, Parameters<typeof sentBy<Awaited<ReturnType<typeof random>>>>[1]>> = {
    transform: (p, x) => p.transform(x, { name: "twice", text: "x + x" }, "u32"),
    zip: (p, x) => p.zip([x, p.counting("u32", n)], { name: "sum", text: "x0 + x1" }, "u32"),
    reduce: (p, x) => p.reduce(x, add),
    scan: (p, x) => p.inclusiveScan(x, add, { reverse: true }),
    scanByKey: (p, x) => p.exclusiveScanByKey({ keys: x }, x, add),
    copyIf: (p, x) => p.copyIf(x, { where: { name: "odd", text: "x % 2u == 1u" } }),
    reduceByKey: (p, x) => p.reduceByKey(x, x, add),
    shift: (p, x) => p.shift(x, -3),
    rebalance: (p, x) => p.rebalance(x),
    stencil: (p, x) => p.forEach(n, stencil, { inputs: { around: x, own: x }, constants: {} }),
    pairs: (p, x) => p.forEach(n / 2, pairs, { inputs: { both: p.view(x, 0, n - 1) }, constants: {} }),
  };
  for (const [what, call] of Object.entries(stay)) {
    expect(await sentBy(random, call), what).toBeLessThanOrEqual(few);
  }
});

it("sends elements around parts once, until the vector is scattered to", async () => {
  /** What a second reading sends. */
  const again = (between: (p: DistributedPrimitives, x: Vector<"u32">) => Promise<unknown>) =>
    sentBy(async (p) => {
      const x = await random(p);
      await reading(p, x);
      await between(p, x);
      return x;
    }, reading);
  expect(await again(async () => {})).toBe(0);
  const scattered = await again((p, x) => p.scatter(p.constant("u32", 1, 7), p.counting("u32", 1), x));
  expect(scattered).toBeGreaterThan(0);
  expect(scattered).toBeLessThanOrEqual(few);
});

it("sends elements around parts to those ranks alone that lack them, however many there are", async () => {
  const messages = await Promise.all(
    inProcess(16).map(async (communicator) => {
      const counted = counting(communicator);
      const p = createDistributedPrimitives(counted, createCpuPrimitives());
      const x = await random(p);
      await reading(p, x);
      await p.scatter(p.constant("u32", 1, 7), p.counting("u32", 1), x);
      counted.messages = 0;
      await reading(p, x);
      return counted.messages;
    }),
  );
  expect(messages).toEqual([1, ...new Array<number>(14).fill(2), 1]);
});

const reading = (p: DistributedPrimitives, x: Vector<"u32">) =>
  p.forEach(n, stencil, { inputs: { around: x, own: x }, constants: {} });

const stencil = defineKernel({
  name: "stencil",
  inputs: { around: { type: "u32", access: around(3, 2) }, own: { type: "u32", access: own } },
  constants: {},
  outputs: { sum: { type: "u32" } },
  text: "out.sum = own() + around(element);",
});

const pairs = defineKernel({
  name: "pairs",
  inputs: { both: { type: "u32", access: around(0, 0, 2) } },
  constants: {},
  outputs: { first: { type: "u32" } },
  text: "out.first = both(2u * element);",
});

it("gathers a table once, until it is scattered to", async () => {
  const lookUp = defineKernel({
    name: "look up",
    inputs: { table: { type: "u32", access: { kind: "all" } } },
    constants: {},
    outputs: { found: { type: "u32" } },
    text: "out.found = table(7u);",
  });
  const read = (p: DistributedPrimitives, table: Awaited<ReturnType<typeof random>>) =>
    p.forEach(n, lookUp, { inputs: { table }, constants: {} });
  const computed = async (p: DistributedPrimitives) => p.copy(await random(p));
  expect(await sentBy(computed, read)).toBeGreaterThan(n / size);
  const gathered = async (p: DistributedPrimitives) => {
    const table = await computed(p);
    await read(p, table);
    return table;
  };
  expect(await sentBy(gathered, read)).toBeLessThanOrEqual(few);
  const changed = async (p: DistributedPrimitives) => {
    const table = await gathered(p);
    await p.scatter(p.constant("u32", 1, 9), p.counting("u32", 1), table);
    return table;
  };
  expect(await sentBy(changed, read)).toBeGreaterThan(n / size);
  expect(await sentBy(random, read), "of the host's data").toBeLessThanOrEqual(few);
  const scattered = async (p: DistributedPrimitives) => {
    const table = await random(p);
    await p.scatter(p.constant("u32", 1, 9), p.counting("u32", 1), table);
    return table;
  };
  expect(await sentBy(scattered, read)).toBeGreaterThan(n / size);
});

it("enumerates where it counts, and reads around places near by", async () => {
  const counts = async (p: DistributedPrimitives) => p.inclusiveScan(p.constant("u32", n, 3), add);
  expect(await sentBy(counts, (p, sums) => p.upperBoundCounting(sums, 3 * n))).toBeLessThanOrEqual(few);
  const enumerated = async (p: DistributedPrimitives) => {
    const sums = await counts(p);
    return { values: await random(p), at: await p.upperBoundCounting(sums, 3 * n) };
  };
  const read = (p: DistributedPrimitives, { values, at }: Awaited<ReturnType<typeof enumerated>>) =>
    p.forEach(at.length, nearby, { inputs: { values }, constants: {}, at });
  expect(await sentBy(enumerated, read)).toBeLessThanOrEqual(few);
  const far = async (p: DistributedPrimitives) => {
    const { values, at } = await enumerated(p);
    return { values, at: await p.copy(p.reversed(at)) };
  };
  expect(await sentBy(far, read)).toBeGreaterThan(n / size);
});

const nearby = defineKernel({
  name: "nearby",
  inputs: { values: { type: "u32", access: around(3, 2) } },
  constants: {},
  outputs: { found: { type: "u32" } },
  text: "out.found = values(min(element + 2u, 3999u)) - values(max(element, 3u) - 3u);",
});

it("sends each element of a sort once, and samples", async () => {
  const samples = 32 * size + few;
  expect(await sentBy(random, (p, x) => p.sort(x))).toBeLessThanOrEqual(n / size + samples);
  const ascending = async (p: DistributedPrimitives) => p.sequence("u32", n);
  expect(await sentBy(ascending, (p, x) => p.sort(x))).toBeLessThanOrEqual(n / size / 8 + samples);
});
