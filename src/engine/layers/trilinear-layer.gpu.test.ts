import { expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import { writeVti } from "../../data/write/vtk-xml.ts";
import type { EngineEvent } from "../api.ts";
import { Engine } from "../engine.ts";
import { ballData } from "../testing/data.ts";
import { reuseDevices } from "../testing/opened-devices.ts";

const layerOf = (topology: "table" | "trilinear"): Layer => ({
  id: "surface",
  title: undefined,
  isVisible: true,
  shape: { kind: "isosurface", field: "sin(37 * r * r)", isovalues: [0.1], normals: "smooth", topology },
  colorBy: "r",
  paint: {
    solid: "#3080d0",
    map: "viridis",
    reversed: false,
    range: "surface",
    nanColor: "#b0b0b0",
    opacity: 1,
  },
  clip: undefined,
});

reuseDevices();

it("draws, adjusts and exports a layer of the trilinear topology, and goes back to the table's", async () => {
  const engine = new Engine();
  const events: EngineEvent[] = [];
  await engine.start({ device: "auto" }, (event) => events.push(event));
  await engine.attachCanvas(new OffscreenCanvas(100, 80), { width: 100, height: 80, pixelRatio: 1 });
  const file = new File(await writeVti(ballData(), noJob), "ball.vti");
  await engine.open({ kind: "file", file });

  await engine.setLayer(layerOf("table"));
  const table = await engine.settled();
  await engine.setLayer(layerOf("trilinear"));
  const trilinear = await engine.settled();
  expect(trilinear.triangles).toBeGreaterThan(table.triangles);
  for (const [topology, { triangles }] of [
    ["table", table],
    ["trilinear", trilinear],
  ] as const) {
    const by = { kind: "expression", text: "sin(37 * r * r)", value: 0.1, topology } as const;
    await engine.setLayer({ ...layerOf(topology), shape: { kind: "cut", by } });
    expect((await engine.settled()).triangles).toBe(triangles);
  }
  await engine.setLayer(layerOf("trilinear"));

  engine.adjustLayer("surface", { isovalues: [0.9] });
  const adjusted = await engine.settled();
  expect(adjusted.triangles).toBeLessThan(trilinear.triangles);
  expect(events.findLast(({ kind }) => kind === "layer")).toMatchObject({
    id: "surface",
    isovalue: 0.9,
    triangles: adjusted.triangles,
  });
  const ply = await (await engine.exportMesh("ply")).text();
  expect(ply).toContain(`element face ${adjusted.triangles}`);

  engine.adjustLayer("surface", { normals: "flat" });
  const flat = await (await engine.exportMesh("ply")).text();
  expect(flat).toContain(`element vertex ${3 * adjusted.triangles}\n`);

  engine.adjustLayer("surface", { isovalues: [0.1], normals: "smooth" });
  await engine.setLayer(layerOf("table"));
  const { triangles, gpuBytes } = table;
  expect(await engine.settled()).toMatchObject({ triangles, gpuBytes });
});
