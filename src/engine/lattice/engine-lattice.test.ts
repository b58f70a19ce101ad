import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { writeVti } from "../../data/write/vtk-xml.ts";
import type { EngineEvent } from "../api.ts";
import { Engine } from "../engine.ts";
import { ballData } from "../testing/data.ts";
import type { LatticeNews } from "./api.ts";

const request = { kind: "lattice", model: "ising", size: [8, 8] } as const;

/** An engine without a GPU, whose news can be waited for. */
async function startEngine() {
  const engine = new Engine();
  const news: LatticeNews[] = [];
  let heard: () => void = () => {};
  await engine.start({ device: "cpu" }, (event: EngineEvent) => {
    if (event.kind !== "lattice") return;
    news.push(event.news);
    heard();
  });
  const until = async (holds: (latest: LatticeNews | undefined) => unknown) => {
    while (!holds(news.at(-1))) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  };
  return { engine, news, until };
}

test("a lattice is opened like other data, runs, rests and goes on, and reports in batches", async () => {
  const { engine, news, until } = await startEngine();
  const summary = await engine.open(request);
  expect(summary).toMatchObject({
    name: "ising 8 × 8",
    grid: { dims: [8, 8, 1], bounds: [-0.5, 7.5, -0.5, 7.5, 0, 0] },
    fields: [{ name: "spin", statistics: { min: -1, max: 1, mean: 1 } }],
    lattice: { model: { starts: ["ordered", "random"] }, brush: { min: -1, max: 1, isWhole: true } },
  });
  await engine.lattice.setRun({ isRunning: true, sweepsPerPicture: 3 });
  await until((latest) => (latest?.sweeps ?? 0) >= 12);
  // The rest stays as it is.
  await engine.lattice.setRun({ sweepsPerPicture: 2 });
  await until((latest) => latest?.run.sweepsPerPicture === 2);
  expect(news.at(-1)?.run).toEqual({ isRunning: true, sweepsPerPicture: 2 });
  await engine.lattice.setRun({ isRunning: false });
  await until((latest) => latest?.run.isRunning === false && latest.statistics);
  const { sweeps } = news.at(-1)!;
  expect(news.flatMap(({ series }) => [...series.quantities.energy])).toHaveLength(sweeps);
  expect(news.at(-1)?.statistics?.spin.mean).toBeCloseTo(
    news.flatMap(({ series }) => [...series.quantities.magnetization])[sweeps - 1],
    6,
  );
  expect((await engine.lattice.step(2)).first).toBe(sweeps + 1);
  expect((await engine.lattice.request()).sweeps).toBe(sweeps + 2);
  const { min, max, counts } = await engine.histogram("spin");
  expect([min, max, counts[0] + counts[63]]).toEqual([-1, 1, 64]);
});

test("expressions read the lattice as it is when they are computed", async () => {
  const { engine, until } = await startEngine();
  await engine.open({ ...request, start: "random" });
  for (const sweeps of [1, 3]) {
    const { quantities } = await engine.lattice.step(sweeps);
    const { quantities: computed } = await engine.compute("m = mean(spin)");
    expect(computed[0].quantity).toMatchObject({ components: [quantities.magnetization.at(-1)] });
  }
  await until((latest) => latest?.statistics);
});

test("a hidden page lets it rest, and other data end it", async () => {
  const { engine, news, until } = await startEngine();
  await expect(engine.lattice.step(1)).rejects.toThrow("No lattice is open");
  await engine.open(request);
  engine.setPageHidden(true);
  const step = engine.lattice.step(5);
  const end = expect(step).rejects.toMatchObject({ tag: "Cancelled" });
  await until((latest) => latest);
  expect(news.at(-1)?.sweeps).toBe(0);
  await engine.open({ kind: "file", file: new File(await writeVti(ballData([3, 3, 3]), noJob), "ball.vti") });
  await end;
  await expect(engine.lattice.request()).rejects.toThrow("No lattice is open");
});
