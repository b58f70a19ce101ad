import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("runs actions in the order of their turns, each once it is ready", () => {
  const turns = new Turns();
  const [first, second, third] = [turns.take(), turns.take(), turns.take()];
  const done: string[] = [];
  turns.run(third, () => void done.push("third"));
  expect(done).toEqual([]);
  turns.run(first, () => void done.push("first"));
  expect(done).toEqual(["first"]);
  turns.run(second, () => void done.push("second"));
  expect(done).toEqual(["first", "second", "third"]);
});

it("waits for an action that takes time", async () => {
  const turns = new Turns();
  const done: string[] = [];
  let end: (value?: unknown) => void = () => {};
  const long = new Promise((resolve) => {
    end = resolve;
  });
  turns.run(turns.take(), () => long);
  turns.run(turns.take(), () => void done.push("second"));
  await Promise.resolve();
  expect(done).toEqual([]);
  end();
  await long;
  await Promise.resolve();
  expect(done).toEqual(["second"]);
});
