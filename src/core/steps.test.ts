import { expect, test } from "vitest";
import { noJob } from "./job.ts";
import { finished, rangesOf, type Steps, withPauses } from "./steps.ts";

/** Counts to a number in steps that take two milliseconds each. */
function* counting(steps: number): Steps<number> {
  let count = 0;
  for (; count < steps; count++) {
    for (const start = performance.now(); performance.now() - start < 2; );
    yield;
  }
  return count;
}

test("a computation in steps gives its result at once or with pauses, in which others run", async () => {
  expect(finished(counting(3))).toBe(3);
  let others = 0;
  const timer = setInterval(() => others++, 0);
  expect(await withPauses(counting(60), noJob, "Counting")).toBe(60);
  clearInterval(timer);
  expect(others).toBeGreaterThan(0);
});

test("a computation with pauses is cancelled in one of them", async () => {
  const person = new AbortController();
  let ended = 0;
  function* watched(): Steps<void> {
    for (;;) {
      yield* counting(1);
      ended++;
    }
  }
  setTimeout(() => person.abort(), 0);
  const job = { ...noJob, signal: person.signal };
  await expect(withPauses(watched(), job, "Counting")).rejects.toMatchObject({ tag: "Cancelled" });
  expect(ended).toBeLessThan(20);
});

test("ranges cover all items once", () => {
  for (const count of [0, 1, 2 ** 16, 2 ** 16 + 1, 300_000]) {
    let next = 0;
    for (const [first, end] of rangesOf(count)) {
      expect(first).toBe(next);
      expect(end).toBeGreaterThan(first);
      next = end;
    }
    expect(next).toBe(count);
  }
});
