import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

const none = () => undefined;

/** A promise with its resolve function. */
function later() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const settled = async () => {
  for (let k = 0; k < 20; k++) await undefined;
};

it("waits for nothing where nothing has to be waited for", async () => {
  const turns = new Turns();
  const first = turns.take(none);
  expect(first.ready(7)).toBe(7);
  first.end();
  expect(turns.take(none).ready(8)).toBe(8);
});

it("lets methods record in the order of their calls, whatever they wait for", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const [slow, fast, last] = [turns.take(none), turns.take(none), turns.take(none)];
  const compiled = later();
  const run = async (turn: typeof slow, name: string, prepared: Promise<void> | undefined) => {
    await turn.ready(prepared);
    order.push(name);
    turn.end();
  };
  const all = [
    run(slow, "slow", compiled.promise),
    run(fast, "fast", undefined),
    run(last, "last", undefined),
  ];
  await settled();
  expect(order).toEqual([]);
  compiled.resolve();
  await Promise.all(all);
  expect(order).toEqual(["slow", "fast", "last"]);
});

it("keeps the order where a method ends before its turn has come", async () => {
  const turns = new Turns();
  const [first, failed] = [turns.take(none), turns.take(none)];
  failed.end();
  const third = turns.take(none);
  let isReady = false;
  const ready = Promise.resolve(third.ready(1)).then(() => {
    isReady = true;
  });
  await settled();
  expect([failed.isOver, isReady]).toEqual([false, false]);
  first.end();
  await ready;
  expect([first.isOver, failed.isOver, isReady]).toEqual([true, true, true]);
});

it("checks when the turn comes, and lets later methods wait for the check", async () => {
  const turns = new Turns();
  const checked = later();
  const order: string[] = [];
  const first = turns.take(() => {
    order.push("check");
    return checked.promise;
  });
  const ready = Promise.resolve(first.ready("first")).then((name) => {
    order.push(name);
    first.end();
  });
  const second = turns.take(none);
  const then = Promise.resolve(second.ready("second")).then((name) => order.push(name));
  await settled();
  expect(order).toEqual(["check"]);
  checked.resolve();
  await Promise.all([ready, then]);
  expect(order).toEqual(["check", "first", "second"]);
});

it("passes on why a check or what is prepared failed", async () => {
  const turns = new Turns();
  const fails = (): never => {
    throw new Error("lost");
  };
  expect(() => turns.take(fails).ready(1)).toThrow("lost");
  await expect(new Turns().take(none).ready(Promise.reject(new Error("no shader")))).rejects.toThrow(
    "no shader",
  );
});
