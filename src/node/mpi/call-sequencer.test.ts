import { expect, it } from "vitest";
import { CallSequencer } from "./call-sequencer.ts";

it("runs actions in the order of their turns, each once it is ready", () => {
  const sequencer = new CallSequencer();
  const [first, second, third] = [sequencer.take(), sequencer.take(), sequencer.take()];
  const done: string[] = [];
  sequencer.run(third, () => void done.push("third"));
  expect(done).toEqual([]);
  sequencer.run(first, () => void done.push("first"));
  expect(done).toEqual(["first"]);
  sequencer.run(second, () => void done.push("second"));
  expect(done).toEqual(["first", "second", "third"]);
});

it("waits for an action that takes time", async () => {
  const sequencer = new CallSequencer();
  const done: string[] = [];
  let end: (value?: unknown) => void = () => {};
  const long = new Promise((resolve) => {
    end = resolve;
  });
  sequencer.run(sequencer.take(), () => long);
  sequencer.run(sequencer.take(), () => void done.push("second"));
  await Promise.resolve();
  expect(done).toEqual([]);
  end();
  await long;
  await Promise.resolve();
  expect(done).toEqual(["second"]);
});
