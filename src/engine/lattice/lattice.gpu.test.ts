import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { modelNamed } from "../../core/lattice/models.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { writeVti } from "../../data/write/vtk-xml.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { decodePicture } from "../../viewer/testing/pixels.ts";
import type { EngineEvent } from "../api.ts";
import { Engine } from "../engine.ts";
import { ballData } from "../testing/data.ts";
import { testIsosurface, testLayer } from "../testing/layers.ts";
import { openedDevices } from "../testing/opened-devices.ts";
import type { LatticeNews } from "./api.ts";
import { LivingLattice } from "./living-lattice.ts";

const viewport = { width: 300, height: 300, pixelRatio: 1 };
const devices = openedDevices();

async function startEngine() {
  const engine = new Engine();
  const news: LatticeNews[] = [];
  const events: EngineEvent[] = [];
  await engine.start({ device: "auto" }, (event) => {
    if (event.kind === "lattice") news.push(event.news);
    else events.push(event);
  });
  await engine.attachCanvas(new OffscreenCanvas(viewport.width, viewport.height), viewport);
  const until = async (holds: () => unknown) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { engine, news, events, until };
}

const size = [16, 12];
const request = { kind: "lattice", model: "ising", size, start: "random" } as const;

/** Where a site is in the view, in which a fitted lattice fills the height but for 56 pixels above and 96 below. */
const placeOf = (x: number, y: number) => {
  const perSite = (viewport.height - 56 - 96) / size[1];
  return [150 + perSite * (x - 7.5), 130 - perSite * (y - 5.5)] as const;
};

/** The spins and the magnetization that the library has after so many sweeps. */
async function expectedAfter(sweeps: number) {
  const parameters = { temperature: 2.269 };
  const plan = modelNamed("ising").on(size, parameters);
  const simulation = createHostSimulation(plan, { seed: [1, 0], start: "random", parameters });
  const sums = (await simulation.run(sweeps, parameters)).at(-1)!;
  return { spins: await simulation.field("spin"), magnetization: plan.quantitiesOf(sums).magnetization };
}

test("a lattice lives in the picture as it does in the library, outlives its device, and leaves nothing", async () => {
  const { engine, news, events, until } = await startEngine();
  const ball = {
    kind: "file",
    file: new File(await writeVti(ballData([5, 5, 5]), noJob), "ball.vti"),
  } as const;
  await engine.open(ball);
  const { gpuBytes } = await engine.settled();

  await engine.open(request);
  await engine.setLayer(testLayer("image", { kind: "image" }, { colorBy: "spin" }));
  await engine.lattice.setRun({ isRunning: true, sweepsPerPicture: 3 });
  await until(() => (news.at(-1)?.sweeps ?? 0) > 8);
  await engine.lattice.setRun({ isRunning: false, sweepsPerPicture: 3 });
  const { quantities } = await engine.lattice.step(2);
  const { sweeps = 0 } = await engine.lattice.request();
  const { spins, magnetization } = await expectedAfter(sweeps);
  expect(quantities.magnetization.at(-1)).toBe(magnetization);
  await until(() => news.at(-1)?.sweeps === sweeps && news.some(({ statistics }) => statistics));
  const reported = news.flatMap(({ series }) => [...series.quantities.magnetization]);
  expect([reported.length, reported.at(-1)]).toEqual([sweeps, magnetization]);

  const seen = async () => {
    await engine.settled();
    const picture = await decodePicture(await engine.savePicture(1));
    return Array.from(spins, (_, site) =>
      picture.at(...placeOf(site % size[0], Math.floor(site / size[0]))).join(),
    );
  };
  const shown = await seen();
  expect(new Set(shown).size).toBe(2);
  for (const [site, color] of shown.entries()) expect(color === shown[0]).toBe(spins[site] === spins[0]);
  const hit = await engine.probe(...placeOf(3, 2));
  expect(hit?.position).toEqual([3, 2, 0]);
  expect(hit?.values).toEqual([{ name: "spin", values: [spins[3 + 2 * size[0]]] }]);

  devices[0].destroy();
  await until(() => events.some(({ kind }) => kind === "device"));
  expect(await seen()).toEqual(shown);
  expect((await engine.lattice.step(1)).quantities.magnetization[0]).toBe(
    (await expectedAfter(sweeps + 1)).magnetization,
  );

  await engine.open(ball);
  expect((await engine.settled()).gpuBytes).toBe(gpuBytes);
}, 120_000);

test("surfaces follow a lattice of three axes, and what they compute from it when it rests", async () => {
  const { engine, news, events, until } = await startEngine();
  await engine.open({ kind: "lattice", model: "ising", size: [6, 6, 6] });
  const colorBy = "2 * spin";
  await engine.setLayer(testLayer("domains", testIsosurface("spin", 0), { colorBy }));
  expect((await engine.settled()).triangles).toBe(0);
  await engine.lattice.draw({ position: [2, 3, 3], radius: 0, value: -1 });
  expect((await engine.settled()).triangles).toBe(8);
  await until(() => news.some(({ statistics }) => statistics));
  expect(news.find(({ statistics }) => statistics)?.statistics?.spin.mean).toBeCloseTo(1 - 2 / 216, 6);
  await engine.settled();
  const bars = events.filter(({ kind }) => kind === "scalarBars").at(-1);
  expect(bars).toMatchObject({ bars: [{ bar: { min: -2, max: 2 } }] });
}, 120_000);

test("a plane of a lattice of four axes is on a GPU what it is on a CPU", async () => {
  const plane = { axes: [2, 0, 3], at: [0, 1, 0, 0] };
  const asked = { ...request, size: [4, 2, 6, 2], plane };
  const [found, expected] = await Promise.all(
    [await testGpu(), undefined].map((gpu) => LivingLattice.create({ ...asked, sweeps: 2 }, gpu, noJob)),
  );
  expect((await found.read("spin")).data).toEqual((await expected.read("spin")).data);
  // Along other axes it goes on from its sites.
  const turned = { ...found.request, plane: { axes: [1, 3], at: [3, 0, 5, 0] } };
  const [there, here] = [
    await LivingLattice.create(turned, await testGpu(), noJob, found),
    await LivingLattice.create(turned, undefined, noJob),
  ];
  for (const lattice of [there, here]) {
    void lattice.step(2);
    lattice.advance();
    await lattice.measured();
  }
  expect((await there.read("spin")).data).toEqual((await here.read("spin")).data);
  found.dispose();
  there.dispose();
}, 120_000);
