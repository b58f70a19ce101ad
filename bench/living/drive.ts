import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { EngineApi } from "../../src/engine/api.ts";
import type { AppState } from "../../src/ui/store/state.ts";
import { heard, reset, watch } from "../drag/watch.ts";
import type { Watched } from "./figures.ts";

interface Scope {
  crinkle: { engine: Pick<EngineApi, "settled">; store: { getState(): AppState } };
  perf: { longTasks: number[]; frames: number[]; reset(): void };
}

const gpuBytes = (page: Page) =>
  page.evaluate(async () => (await (globalThis as unknown as Scope).crinkle.engine.settled()).gpuBytes);

const sweepsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Scope).crinkle.store.getState().lattice?.state.sweeps ?? 0);

export interface Living {
  readonly model: string;
  readonly size: string;
  readonly sweepsPerPicture: number;
}

/** Opens a lattice as a person does, and sets how many sweeps there are between two pictures. */
export async function openLattice(page: Page, { model, size, sweepsPerPicture }: Living): Promise<void> {
  await page.getByRole("button", { name: "Simulate" }).click();
  const dialog = page.getByRole("dialog", { name: "Simulate" });
  await dialog.locator(`input[type=radio][value="${model}"]`).check();
  await dialog.getByRole("textbox", { name: "Size" }).fill(size);
  await dialog.getByRole("button", { name: "Run" }).click();
  const simulation = page.getByRole("region", { name: "Simulation" });
  await simulation.getByRole("combobox", { name: "Speed" }).selectOption(String(sweepsPerPicture));
  await simulation
    .getByRole("img", { name: / by sweep/ })
    .first()
    .scrollIntoViewIfNeeded();
}

/** Watches a lattice that runs, with its charts in sight, and pauses it. */
export async function watchLattice(page: Page, seconds: number): Promise<Watched> {
  const simulation = page.getByRole("region", { name: "Simulation" });
  const [run, rest] = ["Run", "Pause"].map((name) => simulation.getByRole("button", { name, exact: true }));
  const worker = await watch(page);
  // Shaders are compiled and charts are made before.
  await pause(2000);
  await rest.click();
  const before = await gpuBytes(page);
  await run.click();
  await pause(1000);
  await page.evaluate(() => (globalThis as unknown as Scope).perf.reset());
  await reset(page, worker);
  const [first, start] = [await sweepsOf(page), performance.now()];
  await pause(1000 * seconds);
  const { frameTimes } = await heard(page, worker);
  const [last, end] = [await sweepsOf(page), performance.now()];
  const { longTasks, frames } = await page.evaluate(() => {
    const { longTasks, frames } = (globalThis as unknown as Scope).perf;
    return { longTasks, frames };
  });
  await rest.click();
  return {
    seconds: (end - start) / 1000,
    frames: frameTimes,
    sweeps: last - first,
    mainFrames: frames,
    longTasks,
    bytes: [before, await gpuBytes(page)],
  };
}
