import { expect, it } from "vitest";
import { CallSequencer } from "./call-sequencer.ts";

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
  const sequencer = new CallSequencer();
  const first = sequencer.take(none);
  expect(first.ready(7)).toBe(7);
  first.end();
  expect(sequencer.take(none).ready(8)).toBe(8);
});

it("lets methods record in the order of their calls, whatever they wait for", async () => {
  const sequencer = new CallSequencer();
  const order: string[] = [];
  const [slow, fast, last] = [sequencer.take(none), sequencer.take(none), sequencer.take(none)];
  const compiled = later();
  const run = async (ticket: typeof slow, name: string, prepared: Promise<void> | undefined) => {
    await ticket.ready(prepared);
    order.push(name);
    ticket.end();
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
  const sequencer = new CallSequencer();
  const [first, failed] = [sequencer.take(none), sequencer.take(none)];
  failed.end();
  const third = sequencer.take(none);
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
  const sequencer = new CallSequencer();
  const checked = later();
  const order: string[] = [];
  const first = sequencer.take(() => {
    order.push("check");
    return checked.promise;
  });
  const ready = Promise.resolve(first.ready("first")).then((name) => {
    order.push(name);
    first.end();
  });
  const second = sequencer.take(none);
  const then = Promise.resolve(second.ready("second")).then((name) => order.push(name));
  await settled();
  expect(order).toEqual(["check"]);
  checked.resolve();
  await Promise.all([ready, then]);
  expect(order).toEqual(["check", "first", "second"]);
});

it("passes on why a check or what is prepared failed", async () => {
  const sequencer = new CallSequencer();
  const fails = (): never => {
    throw new Error("lost");
  };
  expect(() => sequencer.take(fails).ready(1)).toThrow("lost");
  await expect(new CallSequencer().take(none).ready(Promise.reject(new Error("no shader")))).rejects.toThrow(
    "no shader",
  );
});
