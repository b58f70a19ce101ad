import { describe, expect, it } from "vitest";
import { maxSpans, Stopwatch } from "./stopwatch.ts";

/** A watch whose clock the test sets. */
function watchAt() {
  const clock = { now: 0 };
  return { clock, watch: new Stopwatch("job", () => clock.now) };
}

describe("a stopwatch", () => {
  it("counts each moment for what began last, and all others for the job", async () => {
    const { clock, watch } = watchAt();
    clock.now = 1;
    const compute = watch.begin("compute", "q");
    clock.now = 3;
    const call = watch.begin("collective", "allgather", { number: 0, root: -1 });
    clock.now = 7;
    watch.end(call, { sent: 10, received: 20, messages: 2 });
    clock.now = 8;
    watch.end(compute);
    clock.now = 10;
    watch.stop();
    const done = watch.spans.map(({ name, start, end }) => [name, start, end]);
    expect(done).toEqual([
      ["job", 0, 1],
      ["q", 1, 3],
      ["allgather", 3, 7],
      ["q", 7, 8],
      ["job", 8, 10],
    ]);
    expect(watch.ms).toEqual({ read: 0, compute: 6, pack: 0, send: 0, wait: 0, collective: 4 });
    expect(watch.traffic).toEqual({ sent: 10, received: 20, messages: 2 });
    clock.now = 20;
    await watch.time("read", async () => {
      clock.now = 30;
    });
    expect([watch.ms.read, watch.ms.compute, watch.spans.length]).toEqual([0, 6, 5]);
  });

  it("gives a call that ends while something else goes on its traffic", () => {
    const { clock, watch } = watchAt();
    const call = watch.begin("collective", "allreduce", { number: 0, root: -1 });
    clock.now = 2;
    const compute = watch.begin("compute", "q");
    clock.now = 5;
    watch.end(call, { sent: 1, received: 1, messages: 1 });
    clock.now = 6;
    watch.end(compute);
    expect(watch.spans.map(({ name, start, end, traffic }) => [name, start, end, traffic?.sent])).toEqual([
      ["allreduce", 0, 2, undefined],
      ["q", 2, 5, undefined],
      ["allreduce", 5, 5, 1],
      ["q", 5, 6, undefined],
    ]);
    expect(watch.ms).toMatchObject({ compute: 4, collective: 2 });
  });

  it("keeps a bounded number of spans and counts beyond it", () => {
    const { clock, watch } = watchAt();
    for (let i = 0; i < maxSpans + 100; i++) {
      const call = watch.begin("send", "send");
      clock.now++;
      watch.end(call, { sent: 1, received: 0, messages: 1 });
    }
    expect(watch.spans.length).toBe(maxSpans);
    expect([watch.traffic.messages, watch.ms.send]).toEqual([maxSpans + 100, maxSpans + 100]);
  });
});
