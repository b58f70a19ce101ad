import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { surfaceArea } from "../../core/mesh-measures.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { contour } from "../testing/contour.ts";
import { ballData } from "../testing/data.ts";
import { reuseDevices } from "../testing/opened-devices.ts";
import type { ComparisonRow } from "./api.ts";
import { compareStrategies } from "./compare.ts";
import { measuredRun, networkSummary, programOf } from "./runs.ts";

/** One kernel by fusion; by filters a product each, their sum and its root. */
const text = "a = v[0]; b = v[1]; s = sqrt(a*a + b*b)";
const points = 17 * 15 * 13;

reuseDevices();

let session: Session;

beforeAll(async () => {
  session = new Session(await openEngineDevice("gpu", navigator.gpu));
  await session.setDataSet(ballData());
});

async function compareAll(budget?: number, compared = text) {
  const rows: ComparisonRow[] = [];
  const hear = (row: ComparisonRow) => rows.push(row);
  const { chosen } = await compareStrategies(session, compared, budget, hear, noJob);
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
    expect(fusion.kind === "refused" && fusion.error.problem).toMatch(/would hold 5\d\u00a0KiB on the GPU/);
    expect(streamed.kind === "run" && streamed.run.blocks).toBeGreaterThan(1);
    expect(chosen?.strategy).toBe("streamed");
  });

  test("compares numbers and histograms, too", async () => {
    const { rows, chosen } = await compareAll(
      undefined,
      "m = median(r * r); h = histogram(r, 8); two = 1 + 1",
    );
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toMatchObject({ kind: "run", difference: 0 });
    expect(rows[0]).toMatchObject({ run: { downloads: 2 } });
    expect(chosen).toBeDefined();
    const { layout } = await networkSummary(session, "h = histogram(r, 8, avg(r) - 1, 9)");
    expect(layout?.nodes.map(({ label }) => label)).toContain("histogram");
    const constants = await compareAll(undefined, "two = 1 + 1");
    expect(constants.rows[0]).toMatchObject({ kind: "run", run: { kernels: 0, uploads: 0 }, difference: 0 });
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
      await programOf(session, text),
      { strategy: "staged" },
      noJob,
    );
    const { layout, dot, script } = await networkSummary(session, text, summary.nodes);
    const root = layout?.nodes.find(({ label }) => label === "sqrt");
    expect(root?.bytes).toBe(4 * points);
    const hasTimestamps = session.device.gpu?.device.features.has("timestamp-query");
    expect(root?.milliseconds === undefined).toBe(!hasTimestamps);
    expect(layout?.nodes.find(({ kind }) => kind === "source")?.bytes).toBe(12 * points);
    expect(dot).toContain("kB");
    expect(script).toContain("createNetwork");
  });

  test("shows what was measured of the values that a reduction needs", async () => {
    const scaled = await programOf(session, "s = r / avg(r * r)");
    const { summary } = await measuredRun(session, scaled, { strategy: "staged" }, noJob);
    const { layout } = await networkSummary(session, "s = r / avg(r * r)", summary.nodes);
    const bytes = new Map(layout?.nodes.map(({ label, bytes }) => [label, bytes]));
    expect(bytes.get("multiply")).toBe(4 * points);
    expect(bytes.get("divide")).toBe(4 * points);
    expect(bytes.get("avg")).toBeUndefined();
    expect(summary.kernels).toBe(2);
  });

  test("of thousands of nodes is described, not drawn", async () => {
    const many = Array.from({ length: 600 }, (_, i) => `p${i} = r^${i}.7`).join("; ");
    const { nodes, layout, dot } = await networkSummary(session, many);
    expect(nodes).toBe(1 + 2 * 600);
    expect(layout).toBeUndefined();
    expect(dot.match(/->/g)).toHaveLength(3 * 600);
  });

  test("of another strategy's run shows none", async () => {
    const program = await programOf(session, text);
    const { summary } = await measuredRun(session, program, { strategy: "fusion" }, noJob);
    expect(summary.nodes).toEqual([]);
  });
});

test("a computation reports what it sent and held, and sends a field once", async () => {
  const own = new Session(await openEngineDevice("gpu", navigator.gpu));
  await own.setDataSet(ballData());
  const first = await own.compute("s = 2 * magnitude(v)", noJob);
  expect(first.run).toMatchObject({ strategy: "fusion", uploads: 1, downloads: 0, kernels: 1 });
  expect(first.run?.uploadedBytes).toBe(12 * points);
  // The arrays, and a few words of parameters.
  expect(first.run?.peakBytes).toBeGreaterThanOrEqual(16 * points);
  expect(first.run?.peakBytes).toBeLessThan(16 * points + 1024);
  const second = await own.compute("s = 3 * magnitude(v)", noJob);
  expect(second.run).toMatchObject({ uploads: 0, uploadedBytes: 0 });
  expect(second.run?.peakBytes).toBeGreaterThanOrEqual(16 * points);
  expect(second.run?.kernelReports[0].wgsl).toContain("@compute");
  const reduced = await own.compute("s = r / avg(r * r)", noJob);
  expect(reduced.kernels).toBe(2);
  expect(reduced.run).toMatchObject({ kernels: 2, uploads: 1 });
  expect(reduced.run?.kernelReports).toHaveLength(2);
  await own.close();
});

describe("a computation by a strategy of one's choice", () => {
  const fused = { strategy: "fusion", kernels: 1, downloads: 0 };
  let own: Session;
  beforeEach(async () => {
    own = new Session(await openEngineDevice("gpu", navigator.gpu));
    await own.setDataSet(ballData());
  });
  afterEach(() => own.close());

  test("fuses by itself, and says what that moves and holds", async () => {
    const { run } = await own.compute(text, noJob);
    expect(run).toMatchObject({ ...fused, uploads: 1 });
    expect(run?.reason).toMatch(
      /^fusion moves 39\u00a0KiB and holds 52\u00a0KiB: fields and results stay on the GPU$/,
    );
    const again = await own.compute(text, noJob, { strategy: "fusion" });
    expect(again.run).toMatchObject({ ...fused, uploads: 0 });
    expect(again.run?.reason).toBeUndefined();
  });

  test("keeps several names of one value apart, whatever the strategy", async () => {
    for (const strategy of ["fusion", "staged", "streamed", "roundtrip"] as const) {
      const { derived } = await own.compute("d = 2 * r; e = r * 2", noJob, { strategy });
      expect(derived.map(({ name }) => name)).toEqual(["d", "e"]);
      own.derived.remove("d");
      const { max } = own.statisticsOf("r");
      const { run, derived: next } = await own.compute("f = e + 0 * r", noJob);
      expect(run).toMatchObject(fused);
      expect(next[0].statistics.max).toBeCloseTo(2 * max, 5);
    }
  });

  test("streams within a budget, and what it computed serves as any other result", async () => {
    const expected = await own.compute(text, noJob);
    const surface = { field: "s", isovalue: 0.5, colorBy: "s" };
    const whole = await contour(own, surface);
    const budget = 14 * points;
    const { derived, run, notes } = await own.compute(text, noJob, { strategy: "auto", budget });
    expect(notes).toEqual(expected.notes);
    expect(run?.strategy).toBe("streamed");
    expect(run?.blocks).toBeGreaterThan(1);
    expect(run?.peakBytes).toBeLessThanOrEqual(budget);
    expect(run?.reason).toMatch(
      /^streamed moves .+, the fastest of those that fit; fusion would hold 52\u00a0KiB; staged would hold/,
    );
    expect(derived[0].statistics.max).toBeCloseTo(expected.derived[0].statistics.max, 6);
    const again = await contour(own, surface);
    expect(surfaceArea(again.mesh)).toBeCloseTo(surfaceArea(whole.mesh), 5);
    const next = await own.compute("t = 2 * s", noJob);
    expect(next.run).toMatchObject({ ...fused, uploads: 0 });
    expect(next.derived[0].statistics.max).toBeCloseTo(2 * expected.derived[0].statistics.max, 6);
  });

  test("refuses a strategy that does not fit with the bytes that it needs, and changes nothing", async () => {
    const before = own.memoryUse?.current;
    const refused = own.compute(text, noJob, { strategy: "fusion", budget: 14 * points });
    await expect(refused).rejects.toThrow(
      "The fusion strategy would hold 52\u00a0KiB on the GPU; 45\u00a0KiB are allowed. Use the streamed strategy",
    );
    expect(own.derived.all()).toEqual([]);
    expect(own.memoryUse?.current).toBe(before);
  });

  test("takes round trips and filters one by one where asked to", async () => {
    const staged = await own.compute(text, noJob, { strategy: "staged" });
    expect(staged.run).toMatchObject({ strategy: "staged", kernels: 4, uploads: 1, downloads: 0 });
    const back = await own.compute(text, noJob, { strategy: "roundtrip" });
    expect(back.run).toMatchObject({ strategy: "roundtrip", kernels: 4, downloads: 4 });
    // The same bits, whose mean the CPU takes in f64.
    const { mean, ...bits } = back.derived[0].statistics;
    expect(staged.derived[0].statistics).toMatchObject(bits);
    expect(staged.derived[0].statistics.mean).toBeCloseTo(mean, 5);
  });
});
