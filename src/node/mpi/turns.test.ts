import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("runs actions in the order of their turns, each once it is ready", () => {
  const turns = new Turns();
  const [first, second, third] = [turns.take(), turns.take(), turns.take()];
  const done: string[] = [];
  turns.run(third, () => done.push("third"));
  expect(done).toEqual([]);
  turns.run(first, () => done.push("first"));
  expect(done).toEqual(["first"]);
  turns.run(second, () => done.push("second"));
  expect(done).toEqual(["first", "second", "third"]);
});
