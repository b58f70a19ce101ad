import { describe, expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import type { Layer, LayerShape } from "../core/layers.ts";
import { writeVti } from "../data/write/vtk-xml.ts";
import type { EngineEvent, LayerAdjustment } from "./api.ts";
import { Engine } from "./engine.ts";
import { ballData } from "./testing/data.ts";
import { testIsosurface, testLayer } from "./testing/layers.ts";
import { reuseDevices } from "./testing/opened-devices.ts";
import { paintedPixels } from "./testing/painted-pixels.ts";

const viewport = { width: 200, height: 150, pixelRatio: 1 };

reuseDevices();

async function startEngine() {
  const engine = new Engine();
  const events: EngineEvent[] = [];
  await engine.start({ device: "auto" }, (event) => events.push(event));
  await engine.attachCanvas(new OffscreenCanvas(viewport.width, viewport.height), viewport);
  return { engine, events };
}

async function ballFile(): Promise<File> {
  return new File(await writeVti(ballData(), noJob), "ball.vti");
}

/** A layer that shows an isosurface. */
const surfaceLayer = (
  field: string,
  isovalue: number,
  colorBy?: string,
  change: Partial<Layer> = {},
): Layer => testLayer("surface", testIsosurface(field, isovalue), { colorBy, ...change });

const sphere = surfaceLayer("r", 1, "magnitude(v)");

describe("the engine", () => {
  test("opens, computes, draws, follows the isovalue, saves and exports", async () => {
    const { engine, events } = await startEngine();
    const opened = await engine.open({ kind: "file", file: await ballFile() });
    expect(opened.fields.map(({ name }) => name)).toEqual(["r", "v", "id"]);
    const bare = await paintedPixels(engine);

    const computed = await engine.compute("s = sqrt(r)");
    expect(computed).toMatchObject({ device: "gpu", kernels: 1 });
    const shown = await engine.setLayer(sphere);
    expect(shown.color?.max).toBeCloseTo(2 * Math.hypot(2, 1.75), 4);
    const first = await engine.settled();
    expect(first.triangles).toBeGreaterThan(100);
    expect(await paintedPixels(engine)).toBeGreaterThan(bare + 500);

    engine.adjustLayer("surface", { isovalues: [0.6] });
    const second = await engine.settled();
    expect(second.triangles).toBeLessThan(first.triangles);
    expect(second.triangles).toBeGreaterThan(20);
    expect(events.filter(({ kind }) => kind === "layer").at(-1)).toMatchObject({
      id: "surface",
      isovalue: 0.6,
      triangles: second.triangles,
    });
    expect(events.filter(({ kind }) => kind === "scalarBars").at(-1)).toMatchObject({
      bars: [{ id: "surface", bar: { title: "magnitude(v)", min: 0 } }],
    });

    const stl = await engine.exportMesh("stl");
    expect(stl.size).toBe(84 + 50 * second.triangles);
    const ply = await (await engine.exportMesh("ply")).text();
    expect(ply).toContain(`element face ${second.triangles}`);
    expect(ply).toContain("property uchar red");
    const vtp = await (await engine.exportMesh("vtp", "surface", { withFields: true })).text();
    for (const name of ["magnitude(v)", "r", "v", "s", "id", "vtkOriginalCellIds"])
      expect(vtp).toContain(` Name="${name}" `);
    expect((await engine.exportField("s", "vtk")).name).toBe("s.vti");
    expect((await engine.histogram("magnitude(v)")).counts.reduce((a, b) => a + b)).toBe(17 * 15 * 13);
  });

  test("reports what is under a position of the view: coordinates, cell and all values", async () => {
    const { engine } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.compute("s = 2 * r");
    const shape = { ...surfaceLayer("r", 1).shape, isovalues: [0.4, 0.8] } as LayerShape;
    await engine.setLayer(surfaceLayer("r", 1, undefined, { shape }));
    await engine.settled();
    expect(await engine.probe(3, 3)).toBeUndefined();
    const [skipped, , report] = await Promise.all([0, 1, 2].map(() => engine.probe(100, 75)));
    expect(skipped).toEqual(report);
    if (!report) throw new Error("nothing was hit");
    const { position, layer, cell = [-1, -1, -1], isovalue } = report;
    const [x, y, z] = [position[0], position[1] - 0.25, position[2] - 0.5];
    expect([layer, isovalue]).toEqual(["surface", 0.8]);
    expect(Math.hypot(x, y, z)).toBeCloseTo(0.8, 1);
    expect(cell).toEqual([position[0] + 2, position[1] + 1.5, position[2] + 1].map((c) => Math.floor(4 * c)));
    const values = Object.fromEntries(report.values.map((value) => [value.name, value.values]));
    expect(Object.keys(values)).toEqual(["r", "v", "id", "s"]);
    expect(values.r[0]).toBeCloseTo(0.8, 2);
    expect(values.s[0]).toBeCloseTo(2 * values.r[0], 5);
    expect(values.v).toHaveLength(3);
    expect(values.v[0]).toBeCloseTo(-2 * y, 4);
    expect(values.v[1]).toBeCloseTo(2 * x, 4);
    expect(values.id).toEqual([cell[0] + 16 * (cell[1] + 14 * cell[2])]);

    engine.adjustLayer("surface", { clip: { origin: position, normal: [x, y, z] } });
    const before = await engine.probe(100, 75);
    engine.adjustLayer("surface", { clip: { origin: [0, 0.25, 0.5], normal: [-x, -y, -z] } });
    await engine.settled();
    const behind = await engine.probe(100, 75);
    expect(before?.position).not.toEqual(behind?.position);
    const side = (p: readonly number[]) => p[0] * x + (p[1] - 0.25) * y + (p[2] - 0.5) * z;
    expect(side(behind?.position ?? position)).toBeLessThan(1e-6);
  });

  test("volumes of bytes are contoured as they are stored: the same surface from a fourth of the memory", async () => {
    const { engine } = await startEngine();
    const n = 24;
    const values = Array.from({ length: n ** 3 }, (_, i) =>
      Math.round(10 * Math.hypot((i % n) - 11, (Math.floor(i / n) % n) - 11, Math.floor(i / n / n) - 11)),
    );
    const [bytes, floats] = [Uint8Array.from(values), Float32Array.from(values)];
    const reports = [];
    for (const [dtype, data] of [
      ["u8", bytes],
      ["f32", floats],
    ] as const) {
      const file = new File([data], "ball.raw");
      const layout = {
        byteOrder: "little",
        components: 1,
        spacing: [1, 1, 1],
        origin: [0, 0, 0],
        headerBytes: 0,
      } as const;
      const opened = await engine.open({ kind: "file", file, raw: { dims: [n, n, n], dtype, ...layout } });
      const shape = {
        ...surfaceLayer(opened.fields[0].name, 0).shape,
        isovalues: [60.5, 80.25],
      } as LayerShape;
      await engine.setLayer(surfaceLayer("", 0, undefined, { shape }));
      reports.push({ ...(await engine.settled()), probed: await engine.probe(100, 75) });
    }
    const [stored, widened] = reports;
    expect(stored.triangles).toBe(widened.triangles);
    expect(widened.gpuBytes - stored.gpuBytes).toBe(3 * n ** 3);
    expect(stored.probed?.isovalue).toBe(80.25);
    expect(stored.probed?.cell).toEqual(widened.probed?.cell);
  });

  test("a file that is chosen while the GPU is being opened waits for it", async () => {
    const engine = new Engine();
    const starting = engine.start({ device: "auto" }, () => {});
    engine.cancel();
    const opened = await engine.open({ kind: "file", file: await ballFile() });
    expect(opened.name).toBe("ball.vti");
    expect((await starting).kind).toBe("gpu");
  });

  test("a surface that is asked for before there is a canvas shows when there is one", async () => {
    const engine = new Engine();
    await engine.start({ device: "auto" }, () => {});
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.setLayer(sphere);
    await engine.attachCanvas(new OffscreenCanvas(viewport.width, viewport.height), viewport);
    expect((await engine.settled()).triangles).toBeGreaterThan(100);
  });

  test("a surface that is asked for while the canvas is being prepared waits for it", async () => {
    const engine = new Engine();
    await engine.start({ device: "auto" }, () => {});
    const attaching = engine.attachCanvas(new OffscreenCanvas(viewport.width, viewport.height), viewport);
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.setLayer(sphere);
    expect((await engine.settled()).triangles).toBeGreaterThan(100);
    await attaching;
  });

  test("an isovalue outside the range empties the surface; of many adjustments a frame shows the last", async () => {
    const { engine, events } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.setLayer(surfaceLayer("r", 99));
    expect((await engine.settled()).triangles).toBe(0);
    const layerEvents = () => events.filter(({ kind }) => kind === "layer").length;
    const before = layerEvents();
    for (let i = 0; i < 50; i++) engine.adjustLayer("surface", { isovalues: [0.5 + 0.01 * i, 99] });
    engine.adjustLayer("surface", { isovalues: [1] });
    expect((await engine.settled()).triangles).toBeGreaterThan(100);
    expect(layerEvents() - before).toBe(1);
    const drawn = (await engine.settled()).triangles;
    for (const nonsense of [{ isovalues: [] }, { isovalues: [Number.NaN] }, { radius: 3 }, { size: 2 }])
      engine.adjustLayer("surface", nonsense);
    engine.adjustLayer("no such layer", { isovalues: [2] });
    expect((await engine.settled()).triangles).toBe(drawn);
  });

  test("a layer that is removed before it has been made stays away, and leaves nothing behind", async () => {
    const { engine } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.setLayer({ ...sphere, id: "other" });
    const before = await engine.settled();
    const making = [engine.setLayer(surfaceLayer("r * r", 1)), engine.setLayer(surfaceLayer("r + 1", 2))];
    engine.removeLayer("surface");
    const results = await Promise.allSettled(making);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await engine.setLayer(sphere);
    const again = engine.setLayer(surfaceLayer("r * r", 1, "r + 1"));
    await Promise.resolve();
    engine.removeLayer("surface");
    await expect(again).rejects.toMatchObject({ tag: "Cancelled" });
    const after = await engine.settled();
    expect([after.triangles, after.gpuBytes]).toEqual([before.triangles, before.gpuBytes]);
  });

  test("a layer that is removed while it is exported ends that, and is left out of all", async () => {
    const { engine } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    const exact = { ...sphere.shape, topology: "trilinear" } as LayerShape;
    for (const shape of [sphere.shape, exact]) {
      for (const id of ["a", "b"]) await engine.setLayer({ ...sphere, shape, id });
      const alone = engine.exportMesh("stl", "b");
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      engine.removeLayer("b");
      await expect(alone).rejects.toMatchObject({ tag: "Cancelled" });
      await engine.setLayer({ ...sphere, shape, id: "b" });
      const all = engine.exportMesh("stl");
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      engine.removeLayer("b");
      const { triangles } = await engine.settled();
      expect(triangles).toBeGreaterThan(100);
      expect((await all).size).toBe(84 + 50 * triangles);
    }
  });

  test("a bad file or expression leaves data, results and picture as they were", async () => {
    const { engine } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.setLayer(sphere);
    const before = await engine.settled();
    await expect(engine.open({ kind: "file", file: new File(["nonsense"], "x.vtk") })).rejects.toThrow(
      "x.vtk",
    );
    await expect(engine.compute("a = magnitude(w)")).rejects.toMatchObject({ tag: "UnknownName" });
    await expect(engine.setLayer(surfaceLayer("v", 1))).rejects.toMatchObject({ tag: "TypeError" });
    expect(await engine.settled()).toMatchObject({ triangles: before.triangles, gpuBytes: before.gpuBytes });
  });

  test("a result computed again shows at once; a removed one takes its surface along", async () => {
    const { engine, events } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.compute("d = r");
    await engine.setLayer(surfaceLayer("2 * d", 2));
    const sphereTriangles = (await engine.settled()).triangles;
    await engine.compute("d = r + 0.4");
    const smaller = (await engine.settled()).triangles;
    expect(smaller).toBeLessThan(sphereTriangles);
    expect(smaller).toBeGreaterThan(20);
    await engine.removeDerived("d");
    expect((await engine.settled()).triangles).toBe(0);
    expect(events.filter(({ kind }) => kind === "layerGone")).toEqual([
      {
        kind: "layerGone",
        id: "surface",
        note: "A layer was removed, because it showed “d”, which has been removed.",
      },
    ]);
    await expect(engine.exportMesh("stl")).rejects.toThrow("No surface is shown");
  });

  test("a layer follows a result that becomes a vector, and a scalar again", async () => {
    const { engine, events } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    await engine.compute("d = r");
    await engine.setLayer(surfaceLayer("d", 2));
    const sphere = (await engine.settled()).triangles;
    await engine.compute("d = {r, 0, 0}");
    expect((await engine.settled()).triangles).toBe(sphere);
    await engine.compute("d = r");
    expect((await engine.settled()).triangles).toBe(sphere);
    const followed = events.flatMap((event) => (event.kind === "layerFollowed" ? [event.layer.shape] : []));
    expect(followed).toMatchObject([{ field: "magnitude(d)" }, { field: "d" }]);
    expect(events.filter(({ kind }) => kind === "layerGone")).toEqual([]);
  });

  test("results without a name get one of their own each, the same text the same", async () => {
    const { engine } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    const names = async (text: string) => (await engine.compute(text)).derived.map(({ name }) => name);
    expect(await names("r")).toEqual(["result"]);
    expect(await names("{r, 0, 0}")).toEqual(["result2"]);
    expect(await names("r")).toEqual(["result"]);
    await expect(engine.compute("r + nothing")).rejects.toMatchObject({ span: { from: 4, to: 11 } });
  });

  test("cancel ends the job and frees what it took", async () => {
    const { engine } = await startEngine();
    await engine.open({ kind: "sample", sample: "tangle", size: 48 });
    const before = (await engine.settled()).gpuBytes;
    const computing = engine.compute("l = lambda2(gradient(tangle))");
    const opening = engine.open({ kind: "sample", sample: "hydrogen", size: 160 });
    engine.cancel();
    await expect(computing).rejects.toThrow();
    await expect(opening).rejects.toMatchObject({ tag: "Cancelled" });
    expect((await engine.settled()).gpuBytes).toBe(before);
    expect((await engine.compute("t = 2 * tangle")).derived).toHaveLength(1);
  });

  test("ten tours leave no byte behind", async () => {
    const { engine } = await startEngine();
    const bytes: number[] = [];
    for (let tour = 0; tour < 10; tour++) {
      await engine.open({ kind: "file", file: await ballFile() });
      await engine.compute("q = q_criterion(v)");
      await engine.setLayer(surfaceLayer("q", 0.5, "magnitude(v)"));
      for (const isovalue of [0.1, 0.2]) engine.adjustLayer("surface", { isovalues: [isovalue] });
      bytes.push((await engine.settled()).gpuBytes);
      await engine.removeDerived("q");
    }
    expect(new Set(bytes).size).toBe(1);
  });

  test("layers of all kinds are shown together, each with counts, and leave no byte behind", async () => {
    const { engine, events } = await startEngine();
    await engine.open({ kind: "file", file: await ballFile() });
    const plane = { origin: [0, 0.2, 0.5], normal: [1, 1, 1] } as const;
    const shapes: readonly LayerShape[] = [
      { ...surfaceLayer("r", 1).shape, isovalues: [0.5, 1] } as LayerShape,
      { kind: "cut", by: { kind: "plane", plane } },
      { kind: "cut", by: { kind: "sphere", center: [0, 0.25, 0.5], radius: 1 } },
      { kind: "cut", by: { kind: "expression", text: "r * r", value: 0.8 } },
      { kind: "slice", axis: 2, position: 0.6 },
      { kind: "threshold", field: "r", range: [0.5, 1.2] },
    ];
    const layers = shapes.map((shape, i) =>
      surfaceLayer("r", 1, i % 2 ? "magnitude(v)" : undefined, { id: `layer ${i}`, shape }),
    );
    const adjustments: readonly LayerAdjustment[] = [
      { isovalues: [0.7] },
      { plane: { ...plane, normal: [0, 0, -2] } },
      { radius: 0.5 },
      { value: 0.3 },
      { position: 0.1 },
      { range: [0.5, 0.9] },
    ];
    const bytes: number[] = [];
    for (let tour = 0; tour < 10; tour++) {
      for (const layer of layers) await engine.setLayer(layer);
      if (tour === 0) {
        const first = await engine.settled();
        const last = (id: string) =>
          events.findLast((event) => event.kind === "layer" && event.id === id) as { triangles: number };
        const counts = layers.map(({ id }) => last(id).triangles);
        expect(Math.min(...counts)).toBeGreaterThan(20);
        expect(first.triangles).toBe(counts.reduce((a, b) => a + b));
        for (const [i, { id }] of layers.entries()) engine.adjustLayer(id, adjustments[i]);
        const second = await engine.settled();
        for (const [i, { id }] of layers.entries())
          if (i !== 4) expect([i, last(id).triangles]).not.toEqual([i, counts[i]]);
        engine.adjustLayer("layer 5", { isVisible: false });
        expect((await engine.settled()).triangles).toBe(second.triangles - last("layer 5").triangles);
        const small = { kind: "sphere", center: [0.01, 0.25, 0.5], radius: 0.001 } as const;
        await engine.setLayer({ ...layers[2], shape: { kind: "cut", by: small } });
        await engine.settled();
        await expect
          .poll(() => last("layer 2"))
          .toMatchObject({
            triangles: 0,
            note: expect.stringMatching(
              /^the sphere of radius 0\.001 lies between the nodes; cells there are /,
            ),
          });
        expect(events.findLast(({ kind }) => kind === "scalarBars")).toMatchObject({
          bars: [{ id: "layer 1", bar: { title: "magnitude(v)" } }],
        });
      }
      for (const { id } of layers) engine.removeLayer(id);
      bytes.push((await engine.settled()).gpuBytes);
    }
    expect((await engine.settled()).triangles).toBe(0);
    expect(new Set(bytes).size).toBe(1);
  });

  test("points of a table are opened, computed with, shown, picked and left for a grid", async () => {
    const { engine } = await startEngine();
    const rows = ["x,y,z,mass", "0,0,0,1", "1,0,0,2", "0,1,0,4", "0,0,1,8"];
    const opened = await engine.open({ kind: "file", file: new File([rows.join("\n")], "four.csv") });
    expect(opened).toMatchObject({ grid: undefined, points: { count: 4, bounds: [0, 1, 0, 1, 0, 1] } });
    expect(opened.fields.map(({ name }) => name)).toEqual(["mass", "coords"]);
    await engine.compute("twice = 2 * mass");
    const { derived } = await engine.compute("sum = x + coords[1] + 10 * z");
    expect(derived[0].statistics).toMatchObject({ min: 0, max: 10, mean: 3 });
    await expect(engine.compute("g = gradient(mass)")).rejects.toThrow(/gradient needs a grid/);
    const shape = { kind: "points", size: 30 } as const;
    await engine.setLayer(surfaceLayer("", 0, "twice", { shape }));
    await engine.settled();
    const found = new Set<number | undefined>();
    for (let y = 5; y < 150; y += 20) {
      for (let x = 5; x < 200; x += 20) {
        const report = await engine.probe(x, y);
        const twice = report?.values.find(({ name }) => name === "twice");
        if (report) found.add(twice?.values[0]);
        expect(report?.nearest?.length ?? 4).toBe(4);
      }
    }
    expect([...found].sort()).toEqual([16, 2, 4, 8]);
    const former = await engine.open({ kind: "file", file: await ballFile() });
    expect([former.grid?.dims, former.points]).toEqual([[17, 15, 13], undefined]);
    expect(await engine.probe(100, 75)).toBeUndefined();
  });

  test("without a GPU, data and expressions work on the CPU and say what is missing", async () => {
    const engine = new Engine();
    const device = await engine.start({ device: "cpu" }, () => {});
    expect(device).toMatchObject({ kind: "cpu" });
    await engine.attachCanvas(new OffscreenCanvas(8, 8), viewport);
    await engine.open({ kind: "file", file: await ballFile() });
    expect(await engine.compute("s = sqrt(r)")).toMatchObject({ device: "cpu" });
    const summary = await engine.setLayer(surfaceLayer("s", 1));
    expect(summary.notes.join()).toContain("Nothing is drawn without a GPU");
    const whole = (await engine.exportMesh("stl")).size;
    expect(whole).toBeGreaterThan(84 + 50 * 100);
    engine.adjustLayer("surface", { clip: { origin: [0, 0.25, 0.5], normal: [1, 0, 0] } });
    const half = (await engine.exportMesh("stl")).size;
    expect(half).toBeLessThan(0.75 * whole);
    engine.adjustLayer("surface", { isovalues: [0.5, 1] });
    expect((await engine.exportMesh("stl")).size).toBeGreaterThan(half);
    const threshold = { kind: "threshold", field: "s", range: [0, 1] } as const;
    await engine.setLayer(surfaceLayer("s", 1, "s", { shape: threshold }));
    const kept = (await engine.exportMesh("stl")).size;
    engine.adjustLayer("surface", { clip: { origin: [0, 0.25, 0.5], normal: [1, 0, 0] } });
    expect((await engine.exportMesh("stl")).size).toBeLessThan(0.75 * kept);
  });
});
