import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { emptyMesh } from "../../core/mesh.ts";
import { trianglesOf } from "../../core/testing/triangles-of.ts";
import { drawJob } from "./draw-job.ts";
import type { DrawRequest } from "./draw-request.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";
import { alone, isosurfaceOf, requestOf, rings } from "./testing/ranked-surfaces.ts";

const shape = isosurfaceOf("f", 0.25);
const clip = { origin: [-4, 2, 7.3], normal: [0, 0, 1] } as const;
const paint = { solid: "#3080d0", map: "viridis", reversed: false, nanColor: "#b0b0b0", opacity: 1 } as const;
const camera = { azimuth: 0, elevation: 0, distance: 2, target: [0, 0, 0], center: [0, 0] } as const;
const viewport = { width: 8, height: 6, pixelRatio: 1 } as const;
const request = {
  source: testSource,
  surface: requestOf({ shape, clip }),
  paint: { ...paint, range: [0, 1] as const },
  view: { camera, viewport },
  isMoving: false,
  method: "ranks",
  asks: "surface",
  tints: false,
  isForwarded: false,
} satisfies DrawRequest;

describe("surfaces that ranks are to draw", () => {
  it("are gathered, clipped, where ranks have no GPU, and only what travels counts", async () => {
    const expected = await alone(rings, { shape, clip });
    const draw = (change: Partial<DrawRequest>) =>
      onRanks(3, async (communicator) => {
        const engine = engineWith(rings, communicator.rank);
        const answer = await drawJob.run(
          { communicator, engine, context: noJob },
          drawJob.parse({ ...request, ...change }),
        );
        await engine.kept.clear();
        return answer?.made;
      });
    const [made] = await draw({});
    expect(made?.choice).toMatchObject({ isByRanks: false, why: "no GPU", without: [0, 1, 2] });
    expect(trianglesOf(made?.mesh ?? emptyMesh)).toEqual(trianglesOf(expected));
    expect(made?.vertices).toBe(expected.positions.length / 3);
    const { gatheredBytes = 0 } = made?.choice ?? {};
    const [forwarded] = await draw({ isForwarded: true, method: "host" });
    expect(forwarded?.choice.why).toBe("asked");
    expect(gatheredBytes).toBeGreaterThan(1000);
    expect(gatheredBytes).toBeLessThan(forwarded?.choice.gatheredBytes ?? 0);
  });

  it("are asked for in a request that every rank checks", () => {
    expect(drawJob.parse(request)).toEqual(request);
    for (const change of [
      { paint: { ...paint, opacity: 2 } },
      { paint: { ...paint, solid: "red" } },
      { view: { camera: { ...camera, distance: 0 }, viewport } },
      { view: { camera, viewport: { ...viewport, width: 0 } } },
      { view: { camera, viewport: { width: 2 ** 14, height: 2 ** 13, pixelRatio: 1.5 } } },
      { method: "other" },
      { surface: { ...request.surface, form: "distributed" } },
      { surface: null },
      { source: null },
      { tints: 1 },
    ])
      expect(() => drawJob.parse({ ...request, ...change })).toThrow();
    // A group's member sends on what it has parsed.
    const cut = { kind: "cut", by: { kind: "expression", text: "f", value: 1 } } as const;
    const parsed = drawJob.parse({ ...request, paint, surface: requestOf({ shape: cut, text: "f" }) });
    for (const value of [parsed.paint, parsed.surface.shape])
      expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value);
    // A group draws its own file, whatever source its page names.
    const source = { kind: "path", path: "/data/flow.vti", raw: null } as const;
    expect(drawJob.parse({ ...request, source }).surface.source).toEqual(source);
  });
});
