import { expect, it } from "vitest";
import { CrinkleError } from "../core/errors.ts";
import { around } from "../core/primitives/access.ts";
import type { UnaryFunction } from "../core/primitives/functions.ts";
import { defineKernel } from "../core/primitives/kernel.ts";
import { add, defineOperator } from "../core/primitives/operators.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import { expectCheckedMaps } from "../core/primitives/testing/checked-maps.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { inProcess } from "./testing/in-process.ts";

it("names the first index that is out of range on all ranks", async () => {
  await Promise.all(
    inProcess(3).map((communicator) =>
      expectCheckedMaps(createDistributedPrimitives(communicator, createCpuPrimitives())),
    ),
  );
});

const outOfMemory = (problem: string) =>
  new CrinkleError({ tag: "OutOfMemory", problem, remedy: "Release some." });

const noRoom = outOfMemory("There is no room.");

/** CPU primitives of which one method fails while memory is full. */
function failing(
  method: keyof Primitives,
  memory = { isFull: true },
  problem: string = noRoom.problem,
): Primitives {
  const fail = () => {
    throw outOfMemory(problem);
  };
  const get = (working: Primitives, key: keyof Primitives) =>
    memory.isFull && key === method ? fail : working[key];
  return new Proxy(createCpuPrimitives(), { get });
}

it("rejects on all ranks where one has no memory, and goes on", async () => {
  for (const [method, call] of [
    ["transform", (p: Primitives) => p.transform(p.counting("u32", 9), { name: "same", text: "x" }, "u32")],
    ["reduce", (p: Primitives) => p.reduce(p.counting("u32", 9), add)],
    ["copyIf", (p: Primitives) => p.copyIf(p.counting("u32", 9), { where: { name: "one", text: "x == 1" } })],
    ["fromHost", (p: Primitives) => p.sort(p.counting("u32", 9))],
    ["fromHost", (p: Primitives) => p.back(p.fromHost("u32", new Uint32Array(9)))],
    ["histogramEven", (p: Primitives) => p.histogramEven(p.counting("u32", 9), 0, 4, 2)],
  ] as const) {
    const outcomes = await Promise.all(
      inProcess(3).map(async (communicator) => {
        const local = communicator.rank === 1 ? failing(method) : createCpuPrimitives();
        const p = createDistributedPrimitives(communicator, local);
        const error = await call(p).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        return [error, await p.countIf(p.counting("u32", 9), { name: "odd", text: "x % 2u == 1u" })];
      }),
    );
    for (const [error, count] of outcomes) {
      expect(error, method).toMatchObject({ tag: "OutOfMemory", problem: noRoom.problem });
      expect(count).toBe(4);
    }
  }
});

const same: UnaryFunction = { name: "same", text: "x" };

it("rejects in the next exchange where a rank failed at what needs no other, and what was made meanwhile after it", async () => {
  const problem = noRoom.problem;
  await Promise.all(
    inProcess(3).map(async (communicator) => {
      const memory = { isFull: false };
      const local = communicator.rank === 1 ? failing("transform", memory) : createCpuPrimitives();
      const p = createDistributedPrimitives(communicator, local);
      const x = p.fromHost("u32", Uint32Array.of(1, 2, 3, 4, 5, 6, 7));
      (await p.transform(x, same, "u32")).release();

      memory.isFull = true;
      const made = await p.transform(x, same, "u32");
      const window = p.reversed(p.view(await p.copy(made), 1, 5));
      const later = await p.copy(x);
      await expect(p.reduce(window, add)).rejects.toMatchObject({ tag: "OutOfMemory", problem });
      memory.isFull = false;

      for (const vector of [made, later]) {
        await expect(p.toHost(vector)).rejects.toMatchObject({ tag: "OutOfMemory", problem });
      }
      expect(await p.reduce(x, add)).toBe(28);
      expect([...(await p.toHost(await p.transform(x, same, "u32")))]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    }),
  );
});

it("reads elements around parts again where a rank had no room for them", async () => {
  await Promise.all(
    inProcess(3).map(async (communicator) => {
      const memory = { isFull: false };
      const local = communicator.rank === 2 ? failing("gather", memory) : createCpuPrimitives();
      const p = createDistributedPrimitives(communicator, local);
      const x = p.fromHost(
        "u32",
        Uint32Array.from({ length: 30 }, (_, i) => i),
      );
      const sums = async () => {
        const { sum } = await p.forEach(30, sumOfThree, { inputs: { x }, constants: {} });
        return p.reduce(sum, add);
      };
      memory.isFull = true;
      await expect(sums()).rejects.toMatchObject({ tag: "OutOfMemory" });
      memory.isFull = false;
      // Each element thrice, but for the first and the last.
      for (let k = 0; k < 2; k++) expect(await sums()).toBe(3 * 435 - 29);
    }),
  );
});

const sumOfThree = defineKernel({
  name: "sum of three",
  inputs: { x: { type: "u32", access: around(1, 1) } },
  constants: {},
  outputs: { sum: { type: "u32" } },
  text: `
    let before = select(0u, x(max(element, 1u) - 1u), element > 0u);
    let after = select(0u, x(min(element, 28u) + 1u), element < 29u);
    out.sum = before + x(element) + after;`,
});

it("rejects with the lowest rank's error where others hear of it from their neighbours, and keeps what was made before", async () => {
  await Promise.all(
    inProcess(5).map(async (communicator) => {
      const { rank } = communicator;
      const memory = { isFull: false };
      const full: Primitives = failing("transform", memory, `Rank ${rank} has no room.`);
      const p = createDistributedPrimitives(
        communicator,
        rank === 2 || rank === 3 ? full : createCpuPrimitives(),
      );
      const x = p.fromHost("u32", new Uint32Array(20).fill(1));
      (await p.transform(x, same, "u32")).release();
      const before = await p.copy(x);
      memory.isFull = true;
      const made = await p.transform(x, same, "u32");
      memory.isFull = false;
      const shifted = await p.shift(await p.shift(made, 1), 1);
      const problem = "Rank 2 has no room.";
      await expect(p.reduce(x, add)).rejects.toMatchObject({ tag: "OutOfMemory", problem });
      for (const vector of [made, shifted]) await expect(p.toHost(vector)).rejects.toMatchObject({ problem });
      expect(await p.reduce(await p.shift(before, 3), add)).toBe(17);
    }),
  );
});

it("releases what other ranks made of a call that one of them failed", async () => {
  let held = 0;
  const counting = (): Primitives => {
    const p = createCpuPrimitives();
    return {
      ...p,
      async transform(vector, f, type) {
        const values = await p.transform(vector, f, type);
        held++;
        const { release } = values;
        return Object.assign(values, {
          release() {
            held--;
            release();
          },
        });
      },
    };
  };
  await Promise.all(
    inProcess(3).map(async (communicator) => {
      const local = communicator.rank === 2 ? failing("transform") : counting();
      const p = createDistributedPrimitives(communicator, local);
      const made = p.transform(p.counting("u32", 9), same, "u32");
      await expect(made).rejects.toMatchObject({ tag: "OutOfMemory" });
    }),
  );
  expect(held).toBe(0);
});

it("rejects texts that are none on all ranks, and goes on", async () => {
  const broken = defineOperator({ name: "broken", identity: 0, text: "a - c" });
  await Promise.all(
    inProcess(3).map(async (communicator) => {
      const revoke = () => {
        throw new Error("The ranks agree.");
      };
      const p = createDistributedPrimitives({ ...communicator, revoke }, createCpuPrimitives());
      const x = p.counting("u32", 9);
      const rejected = { tag: "KernelError", problem: expect.stringContaining("“broken”") };
      await expect(p.reduce(x, broken)).rejects.toMatchObject(rejected);
      await expect(p.reduce(p.view(x, 0, 0), broken)).rejects.toMatchObject(rejected);
      await expect(p.inclusiveScan(x, broken)).rejects.toMatchObject(rejected);
      await expect(p.reduceByKey(x, x, broken)).rejects.toMatchObject(rejected);
      await expect(p.transform(x, { name: "broken", text: "y" }, "u32")).rejects.toMatchObject(rejected);
      expect(await p.reduce(x, add)).toBe(36);
    }),
  );
});

it("revokes the communicator where a rank fails by itself, so that no other waits for it", async () => {
  let revoked = 0;
  const [communicator] = inProcess(1);
  const view = () => {
    throw noRoom;
  };
  const p = createDistributedPrimitives(
    { ...communicator, revoke: () => revoked++ },
    { ...createCpuPrimitives(), view },
  );
  await expect(p.copy(p.view(p.fromHost("u32", new Uint32Array(3)), 0, 2))).rejects.toBe(noRoom);
  expect(revoked).toBe(1);
});
