import { expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import type { Plane, SurfaceShape } from "../core/layers.ts";
import { openEngineDevice } from "./device.ts";
import { KeptSurface } from "./kept-surface.ts";
import { Session } from "./session.ts";
import { surfaceMesh } from "./surface-mesh.ts";
import { ballData } from "./testing/data.ts";

test("surfaces one after the other are those that are made afresh, whatever came before, and leave no byte behind", async () => {
  const session = new Session(await openEngineDevice("gpu", navigator.gpu));
  await session.setDataSet(ballData());
  const kept = new KeptSurface(session);
  const clip: Plane = { origin: [0, 0.1, 0], normal: [1, 2, 0] };
  const contour = (...isovalues: number[]): SurfaceShape => ({
    kind: "isosurface",
    field: "r",
    isovalues,
    normals: "smooth",
    topology: "table",
  });
  const requests = [
    { shape: contour(0.5) },
    { shape: contour(1), clip },
    { shape: contour(Number.NaN) },
    { shape: contour(0.7, 1) },
    { shape: contour(99) },
    { shape: contour(1), colorBy: "r" },
  ];
  const triangles: number[] = [];
  for (const request of requests) {
    const mesh = await kept.mesh(request, noJob);
    expect(mesh).toEqual((await surfaceMesh(session, request)).mesh);
    triangles.push(mesh.indices.length / 3);
  }
  expect(triangles.map((count) => count > 50)).toEqual([true, true, false, true, false, true]);
  expect([triangles[2], triangles[4]]).toEqual([0, 0]);
  const { pool } = session.device.gpu!;
  kept.dispose();
  await session.close();
  expect(pool.use).toMatchObject({ current: 0, buffers: 0 });
});
