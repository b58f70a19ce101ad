import { beforeAll, describe, expect, test } from "vitest";
import { unattended } from "../../core/job.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { ballData } from "../testing/data.ts";
import type { ComparisonRow } from "./api.ts";
import { compareStrategies } from "./compare.ts";
import { measuredRun, networkSummary, programOf } from "./runs.ts";

/** One kernel by fusion; by filters a product each, their sum and its root. */
const text = "a = v[0]; b = v[1]; s = sqrt(a*a + b*b)";
const points = 17 * 15 * 13;

let session: Session;

beforeAll(async () => {
  session = new Session(await openEngineDevice("gpu", navigator.gpu));
  await session.setDataSet(ballData());
});

async function compareAll(budget?: number) {
  const rows: ComparisonRow[] = [];
  const { chosen } = await compareStrategies(session, text, budget, (row) => rows.push(row), unattended);
  return { rows, chosen };
}

describe("a comparison of strategies", () => {
  test("has a row for each, whose values agree", async () => {
    const before = session.memoryUse?.current;
    const { rows, chosen } = await compareAll();
    expect(rows.map(({ strategy }) => strategy)).toEqual(["fusion", "staged", "streamed", "roundtrip"]);
    const runs = rows.flatMap((row) => (row.kind === "run" ? [row] : []));
    expect(runs.map(({ run }) => run.kernels)).toEqual([1, 4, expect.any(Number), 4]);
    for (const { difference } of runs) expect(difference).toBeLessThan(2e-7);
    expect(runs[0].run).toMatchObject({ uploads: 1, downloads: 1, uploadedBytes: 12 * points });
    expect(runs[3].run.downloads).toBe(4);
    expect(rows.map(({ strategy }) => strategy)).toContain(chosen?.strategy);
    expect(chosen?.reason).toContain(`${chosen?.strategy} moves`);
    expect(session.memoryUse?.current).toBe(before);
  });

  test("says of a strategy that does not fit how much it needs", async () => {
    const { rows, chosen } = await compareAll(14 * points);
    const [fusion, , streamed] = rows;
    expect(fusion).toMatchObject({ kind: "refused", error: { tag: "TooLarge" } });
    expect(fusion.kind === "refused" && fusion.error.problem).toMatch(/would hold 5\d KiB on the GPU/);
    expect(streamed.kind === "run" && streamed.run.blocks).toBeGreaterThan(1);
    expect(chosen?.strategy).toBe("streamed");
  });

  test("ends when it is cancelled", async () => {
    const controller = new AbortController();
    const rows: ComparisonRow[] = [];
    const job = { signal: controller.signal, progress: () => {} };
    const hear = (row: ComparisonRow) => {
      rows.push(row);
      controller.abort();
    };
    await expect(compareStrategies(session, text, undefined, hear, job)).rejects.toMatchObject({
      tag: "Cancelled",
    });
    expect(rows).toHaveLength(1);
  });
});

describe("a network", () => {
  test("shows bytes of each value and times of its kernels after a staged run", async () => {
    const { summary } = await measuredRun(
      session,
      programOf(session, text),
      { strategy: "staged" },
      unattended,
    );
    const { layout, dot, script } = networkSummary(session, text, summary.nodes);
    const root = layout?.nodes.find(({ label }) => label === "sqrt");
    expect(root?.bytes).toBe(4 * points);
    const hasTimestamps = session.device.gpu?.device.features.has("timestamp-query");
    expect(root?.milliseconds === undefined).toBe(!hasTimestamps);
    expect(layout?.nodes.find(({ kind }) => kind === "source")?.bytes).toBe(12 * points);
    expect(dot).toContain("kB");
    expect(script).toContain("createNetwork");
  });

  test("shows what was measured of the values that a reduction needs", async () => {
    const scaled = programOf(session, "s = r / avg(r * r)");
    const { summary } = await measuredRun(session, scaled, { strategy: "staged" }, unattended);
    const { layout } = networkSummary(session, "s = r / avg(r * r)", summary.nodes);
    const bytes = new Map(layout?.nodes.map(({ label, bytes }) => [label, bytes]));
    expect(bytes.get("multiply")).toBe(4 * points);
    expect(bytes.get("divide")).toBe(4 * points);
    expect(bytes.get("avg")).toBeUndefined();
    expect(summary.kernels).toBe(2);
  });

  test("of thousands of nodes is told, not drawn", () => {
    const many = Array.from({ length: 600 }, (_, i) => `p${i} = r^${i}.7`).join("; ");
    const { nodes, layout, dot } = networkSummary(session, many);
    expect(nodes).toBe(1 + 2 * 600);
    expect(layout).toBeUndefined();
    expect(dot.match(/->/g)).toHaveLength(3 * 600);
  });

  test("of another strategy's run shows none", async () => {
    const program = programOf(session, text);
    const { summary } = await measuredRun(session, program, { strategy: "fusion" }, unattended);
    expect(summary.nodes).toEqual([]);
  });
});

test("a computation tells what it sent and held, and sends a field once", async () => {
  const own = new Session(await openEngineDevice("gpu", navigator.gpu));
  await own.setDataSet(ballData());
  const first = await own.compute("s = 2 * magnitude(v)", unattended);
  expect(first.run).toMatchObject({ strategy: "fusion", uploads: 1, downloads: 0, kernels: 1 });
  expect(first.run?.uploadedBytes).toBe(12 * points);
  // The arrays, and a few words of parameters.
  expect(first.run?.peakBytes).toBeGreaterThanOrEqual(16 * points);
  expect(first.run?.peakBytes).toBeLessThan(16 * points + 1024);
  const second = await own.compute("s = 3 * magnitude(v)", unattended);
  expect(second.run).toMatchObject({ uploads: 0, uploadedBytes: 0 });
  expect(second.run?.peakBytes).toBeGreaterThanOrEqual(16 * points);
  expect(second.run?.kernelReports[0].wgsl).toContain("@compute");
  const reduced = await own.compute("s = r / avg(r * r)", unattended);
  expect(reduced.kernels).toBe(2);
  expect(reduced.run).toMatchObject({ kernels: 2, uploads: 1 });
  expect(reduced.run?.kernelReports).toHaveLength(2);
  await own.close();
});
