import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { dataSetOf, sampledField, uniformGrid } from "../../lang/expression/execute/testing/data-sets.ts";
import type { RankEngine } from "./rank-engine.ts";
import { statisticsJob } from "./statistics-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";

const grid = uniformGrid([6, 6, 9], 2);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "f", "node", (x, y, z) => x * y - z),
);

/** Milliseconds that the last of three ranks is late to read. */
const lateness = 150;

async function computed() {
  const [found] = await onRanks(3, (communicator) => {
    const engine = engineWith(dataSet, communicator.rank, "host");
    const late: RankEngine = {
      workers: undefined,
      kept: engine.kept,
      bytesRead: 0,
      device: () => engine.device(),
      runPart: (title, isOwn, work) => engine.runPart(title, isOwn, work),
      lendTurn: (work) => engine.lendTurn(work),
      described: () => engine.described(),
      async read(source, job) {
        if (communicator.rank === 2) await new Promise((resolve) => setTimeout(resolve, lateness));
        return engine.read(source, job);
      },
    };
    const call = { communicator, engine: late, context: noJob };
    return statisticsJob.run(call, {
      source: testSource,
      text: "quantile(gradient(f)[0], 0.3)",
      wanted: null,
      blocks: null,
    });
  });
  if (!found) throw new Error("Rank 0 has no result.");
  return found;
}

describe("reports of ranks", () => {
  it("say who waited for whom, and what was sent", async () => {
    const { ranks } = await computed();
    const [host, other, late] = ranks;
    for (const { ms } of [host, other]) expect(ms.wait).toBeGreaterThan(0.8 * lateness);
    expect(late.ms.read).toBeGreaterThan(0.8 * lateness);
    expect(late.ms.wait).toBeLessThan(0.5 * lateness);
    // Each of the others gets its own four layers and one beyond either side: the host sends their values.
    expect(host.sent).toBeGreaterThan(2 * 4 * 36 * 4);
    expect(other.received).toBeGreaterThan(4 * 36 * 4);
    expect(ranks.every(({ messages }) => messages > 0)).toBe(true);
  });

  it("have the times of the spans, which leave nothing out and do not overlap", async () => {
    const { ranks, trace } = await computed();
    expect(trace.length).toBe(3);
    const ends = trace.map((spans) => spans[spans.length - 1].end);
    for (const [rank, spans] of trace.entries()) {
      for (const [i, { start, end }] of spans.entries()) {
        expect(end).toBeGreaterThanOrEqual(start);
        if (i > 0) expect(start).toBeCloseTo(spans[i - 1].end, 6);
      }
      for (const [activity, ms] of Object.entries(ranks[rank].ms)) {
        const sum = spans.reduce(
          (sum, span) => (span.activity === activity ? sum + span.end - span.start : sum),
          0,
        );
        expect(sum).toBeCloseTo(ms, 6);
      }
      // All ranks end with the same barrier; their clocks are one here, and compared to about a message's time.
      expect(Math.abs(ends[rank] - ends[0])).toBeLessThan(0.5 * lateness);
      expect(spans.reduce((sum, { traffic }) => sum + (traffic?.sent ?? 0), 0)).toBe(ranks[rank].sent);
    }
  });
});
