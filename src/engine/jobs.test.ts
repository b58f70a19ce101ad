import { expect, it } from "vitest";
import { JobQueue } from "./jobs.ts";

const queueOf = () => new JobQueue({ progress: () => {}, ended: () => {} });

/** A promise that is resolved from outside. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

it("runs one job after the other, after what prepares them, and settles when none is left", async () => {
  const queue = queueOf();
  const log: string[] = [];
  const prepared = gate();
  queue.waitFor(prepared.passed.then(() => log.push("prepared")));
  const first = queue.run("first", async () => {
    await pause();
    log.push("first");
    return 1;
  });
  const second = queue.runAnyway("second", async () => {
    log.push("second");
    throw new RangeError("second");
  });
  const settled = queue.settled().then(() => log.push("settled"));
  await pause();
  expect(log).toEqual([]);
  prepared.open();
  expect(await first).toBe(1);
  await expect(second).rejects.toThrow(RangeError);
  await settled;
  expect(log).toEqual(["prepared", "first", "second", "settled"]);
  expect(queue.isIdle).toBe(true);
});

it("cancels what runs and what waits, but for what others asked for", async () => {
  const queue = queueOf();
  const running = queue.run("running", ({ signal }) => {
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const waiting = queue.run("waiting", async () => {});
  const own = queue.runPart("own", true, async () => {});
  const others = queue.runPart("others", false, async () => "done");
  const outcomes = Promise.allSettled([running, waiting, own, others]);
  await pause();
  queue.cancel();
  const [ended, dropped, droppedPart, done] = await outcomes;
  expect(ended.status).toBe("rejected");
  for (const one of [dropped, droppedPart]) expect(one).toMatchObject({ reason: { tag: "Cancelled" } });
  expect(done).toMatchObject({ value: "done" });
  expect(await queue.run("later", async () => 2)).toBe(2);
});

it("gives the turn of a job that waits for other ranks to parts of theirs, not to other jobs, and back", async () => {
  const queue = queueOf();
  const log: string[] = [];
  const partMayEnd = gate();
  const job = queue.run("job", () =>
    queue
      .lend(async () => {
        log.push("asks the others");
        await partRan;
      })
      .then(() => log.push("goes on")),
  );
  const next = queue.run("next", async () => log.push("next"));
  const part = queue.runPart("part", true, async () => {
    log.push("part begins");
    await partMayEnd.passed;
    log.push("part ends");
  });
  // What the job waits for ends before the part does: they share no turn all the same.
  const partRan = pause();
  await pause();
  await pause();
  expect(log).toEqual(["asks the others", "part begins"]);
  partMayEnd.open();
  await Promise.all([job, next, part]);
  expect(log).toEqual(["asks the others", "part begins", "part ends", "goes on", "next"]);
});
