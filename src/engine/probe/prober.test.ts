import { expect, test } from "vitest";
import { Prober } from "./prober.ts";

test("questions are answered one at a time, and of those that wait the latest", async () => {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const prober = new Prober(async (question: number) => {
    asked.push(question);
    await new Promise<void>((resolve) => answers.push(resolve));
    return -question;
  });
  const all = [1, 2, 3].map((question) => prober.ask(question));
  expect(asked).toEqual([1]);
  answers[0]();
  expect(await all[0]).toBe(-1);
  expect(await all[1]).toBeUndefined();
  await Promise.resolve();
  expect(asked).toEqual([1, 3]);
  const last = prober.ask(4);
  answers[1]();
  expect(await all[2]).toBe(-3);
  await Promise.resolve();
  answers[2]();
  expect(await last).toBe(-4);
});

test("a question that fails does not keep the next from its answer", async () => {
  const prober = new Prober(async (question: number) => {
    await Promise.resolve();
    if (question < 0) throw new RangeError("negative");
    return question;
  });
  const [bad, good] = [prober.ask(-1), prober.ask(1)];
  await expect(bad).rejects.toThrow("negative");
  expect(await good).toBe(1);
});
