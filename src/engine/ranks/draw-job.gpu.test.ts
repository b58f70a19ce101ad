import { beforeAll, describe, expect, test, vi } from "vitest";
import { noJob } from "../../core/job.ts";
import type { LayerPaint } from "../../core/layers.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import type { OffscreenDrawing } from "../../viewer/viewer.ts";
import type { EngineDevice } from "../device.ts";
import { type DrawnByRanks, drawJob } from "./draw-job.ts";
import type { DrawRequest } from "./draw-request.ts";
import { unpacked } from "./layer-request.ts";
import { PartPainter } from "./part-painter.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";
import { isosurfaceOf, requestOf, rings } from "./testing/ranked-surfaces.ts";

const paint = {
  solid: "#3080d0",
  map: "viridis",
  reversed: false,
  range: "surface" as const,
  nanColor: "#b0b0b0",
  opacity: 1,
} satisfies LayerPaint;

const view = {
  camera: { azimuth: 0.7, elevation: 0.5, distance: 2.2, target: [0, 0, 0], center: [0, 0] },
  viewport: { width: 160, height: 120, pixelRatio: 1 },
} satisfies DrawRequest["view"];

const request = (change: Partial<DrawRequest> = {}): DrawRequest => ({
  source: testSource,
  // Two ranks have parts of the same rows.
  surface: requestOf({ shape: isosurfaceOf("f", 0.25), colorBy: "c + f", blocks: [2, 1, 1] }),
  paint,
  view,
  isMoving: false,
  method: "ranks",
  asks: "surface",
  tints: false,
  isForwarded: false,
  ...change,
});

const turned = { ...view, camera: { ...view.camera, azimuth: 1.9 } };
const otherOf = (...isovalues: readonly number[]) =>
  requestOf({ shape: isosurfaceOf("f", ...isovalues), colorBy: "c + f", blocks: [2, 1, 1] });
const other = otherOf(0.4);
/** More than the buffers hold that were made for one. */
const many = otherOf(-0.9, -0.6, -0.3, 0, 0.3, 0.6, 0.9, 1.2);
const ranged = { ...paint, range: [-3, 40] as const };
const changes = {
  first: {},
  turned: { asks: "picture", view: turned },
  small: { asks: "picture", isMoving: true },
  tinted: { asks: "picture", tints: true },
  forwarded: { asks: "picture", isForwarded: true },
  step: { asks: "step", surface: other, paint: ranged },
  stepWhole: { asks: "surface", surface: other, paint: ranged },
  large: { asks: "step", surface: many, paint: ranged },
  largeWhole: { asks: "surface", surface: many, paint: ranged },
  forHost: { asks: "step", surface: other, paint: ranged, method: "automatic" },
  rangeOfSurface: { asks: "step" },
  translucent: { paint: { ...paint, opacity: 0.5 } },
} satisfies Record<string, Partial<DrawRequest>>;
type Name = keyof typeof changes;

const draws = vi.spyOn(PartPainter.prototype, "draw");
/** How often the ranks have drawn for the answer of a name. */
const drawings: Record<string, number> = {};

async function drawnBy(ranks: number, names: readonly Name[]): Promise<Record<string, DrawnByRanks>> {
  const gpu = await testGpu();
  const device: EngineDevice = { gpu, summary: { kind: "gpu", description: "test", isSoftware: true } };
  const [drawn] = await onRanks(ranks, async (communicator) => {
    const engine = engineWith(rings, communicator.rank, "all", async () => device);
    const answers: Record<string, DrawnByRanks> = {};
    for (const name of names) {
      if (communicator.rank === 0) draws.mockClear();
      const call = { communicator, engine, context: noJob };
      const answer = await drawJob.run(call, drawJob.parse(request(changes[name])));
      if (answer) answers[name] = answer;
      if (communicator.rank === 0) drawings[name] = draws.mock.calls.length;
    }
    await engine.kept.clear();
    return answers;
  });
  return drawn;
}

let alone: Record<string, DrawnByRanks>;
let together: Record<string, DrawnByRanks>;

beforeAll(async () => {
  alone = await drawnBy(1, ["first", "turned"]);
  together = await drawnBy(2, Object.keys(changes) as Name[]);
});

const drawingOf = (answer: DrawnByRanks): OffscreenDrawing => {
  const drawing = unpacked(answer).picture?.drawing;
  if (!drawing) throw new Error("There is no picture.");
  return drawing;
};

/** Shares of pixels: those that are covered, and those whose colours or depths differ. */
function compared(a: OffscreenDrawing, b: OffscreenDrawing) {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  const pixels = a.depth.length;
  let [covered, differing] = [0, 0];
  for (let at = 0; at < pixels; at++) {
    if (a.depth[at] < 1) covered++;
    const off = [0, 1, 2].map((c) => Math.abs(a.color[4 * at + c] - b.color[4 * at + c]));
    if (Math.max(...off) > 12 || Math.abs(a.depth[at] - b.depth[at]) > 1e-3) differing++;
  }
  return { covered: covered / pixels, differing: differing / pixels };
}

describe("a picture that ranks draw", () => {
  test("is one rank's but for pixels along edges, with the range of colours on the whole surface", () => {
    const { covered, differing } = compared(drawingOf(together.first), drawingOf(alone.first));
    expect(covered).toBeGreaterThan(0.2);
    expect(differing).toBeLessThan(0.002);
    const { made, picture } = together.first;
    expect(made?.range).toEqual(alone.first.made?.range);
    expect(made?.choice).toMatchObject({ isByRanks: true, why: "asked", without: [] });
    expect(made?.mesh).toBeUndefined();
    expect(made?.ranks.every(({ triangles }) => triangles > 0)).toBe(true);
    expect(picture?.bytes).toBeGreaterThan(1000);
    expect(alone.first.picture?.bytes).toBe(0);
  });

  test("is drawn again of what the ranks have kept, from another side and smaller", () => {
    expect(together.turned.made).toBeUndefined();
    const { covered, differing } = compared(drawingOf(together.turned), drawingOf(alone.turned));
    expect(covered).toBeGreaterThan(0.15);
    expect(differing).toBeLessThan(0.002);
    expect(drawingOf(together.small)).toMatchObject({ width: 80, height: 60 });
    expect(together.small.picture?.bytes).toBeLessThan(0.5 * (together.first.picture?.bytes ?? 0));
  });

  test.each([
    ["step", "stepWhole"],
    ["large", "largeWhole"],
  ] as const)("of the next isovalue (%s) is that of the surface as it is made anew", (step, whole) => {
    expect(drawingOf(together[step])).toEqual(drawingOf(together[whole]));
    const [made, anew] = [together[step].made, together[whole].made];
    expect(made?.ranks.map(({ triangles, block }) => [triangles, block])).toEqual(
      anew?.ranks.map(({ triangles, block }) => [triangles, block]),
    );
    expect(made?.vertices).toBe(anew?.vertices);
    expect(made?.choice).toEqual(anew?.choice);
    // Twice on a rank where the buffers were too small.
    expect(drawings[step] > 2).toBe(step === "large");
    expect(drawings[whole]).toBe(2);
    expect(made?.color).toEqual(anew?.color);
  });

  test("of a step says that the host is to draw, and a range on the surface takes more than a step", () => {
    expect(together.forHost.made?.choice).toMatchObject({ isByRanks: false, why: "bytes" });
    expect(together.forHost.made?.mesh).toBeUndefined();
    expect(together.rangeOfSurface.made?.range).toEqual(together.first.made?.range);
    expect(drawingOf(together.rangeOfSurface)).toEqual(drawingOf(together.first));
  });

  test("goes on packed, as it is", () => {
    expect(together.forwarded.picture?.drawing).toBeUndefined();
    expect(drawingOf(together.forwarded)).toEqual(drawingOf(together.first));
  });

  test("has a colour for each rank where it is to have", () => {
    const { color, depth } = drawingOf(together.tinted);
    const hues = { blue: 0, orange: 0 };
    for (let at = 0; at < depth.length; at++) {
      const [red, green, blue] = color.subarray(4 * at, 4 * at + 3);
      if (depth[at] >= 1 || Math.max(red, green, blue) < 60) continue;
      if (blue > 1.2 * red) hues.blue++;
      else if (red > 1.2 * green && green > 1.2 * blue) hues.orange++;
    }
    expect(Math.min(...Object.values(hues))).toBeGreaterThan(100);
  });

  test("is none where the surface is translucent: it is gathered", () => {
    const { made, picture } = together.translucent;
    expect(picture).toBeUndefined();
    expect(made?.choice).toMatchObject({ isByRanks: false, why: "translucent" });
    const triangles = made?.ranks.reduce((sum, rank) => sum + rank.triangles, 0) ?? 0;
    expect(made?.mesh?.indices.length).toBe(3 * triangles);
  });
});
