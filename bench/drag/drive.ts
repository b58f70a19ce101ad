import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Page, Worker } from "playwright-core";
import type { EngineApi } from "../../src/engine/api.ts";
import type { DrawingMethod } from "../../src/engine/ranks/drawing-choice.ts";
import type { AppState } from "../../src/ui/store/state.ts";
import { type DragFigures, dragFigures, quantile } from "./figures.ts";
import { heard, reset } from "./watch.ts";

interface Scope {
  crinkle: {
    engine: Pick<EngineApi, "settled">;
    cluster: { draw(changed: { method: DrawingMethod }): void };
    store: { getState(): AppState };
  };
}

/** Milliseconds between two events of the pointer. */
const stepMs = 1000 / 60;

export const settled = (page: Page) =>
  page.evaluate(async () => void (await (globalThis as unknown as Scope).crinkle.engine.settled()));

export const chooseMethod = (page: Page, method: DrawingMethod) =>
  page.evaluate((method) => (globalThis as unknown as Scope).crinkle.cluster.draw({ method }), method);

/** How many ranks have made the selected surface, and its triangles. */
export const madeBy = (page: Page) =>
  page.evaluate(() => {
    const { list, selected, facts } = (globalThis as unknown as Scope).crinkle.store.getState().layers;
    const { made, counts } = facts[list.find(({ id }) => id === selected)?.id ?? ""] ?? {};
    return { ranks: made?.ranks.length, byRanks: made?.choice.isByRanks, triangles: counts?.triangles ?? 0 };
  });

/** Waits until something holds in the page's state. Throws after `ms`. */
export async function until(holds: () => Promise<boolean>, what: string, ms = 15_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`In ${ms / 1000} s, ${what} has not come to be.`);
    await pause(50);
  }
}

/** Moves the pressed pointer from one place to another, 60 times a second. */
async function pull(
  page: Page,
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  seconds: number,
): Promise<void> {
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  const start = performance.now();
  const steps = Math.round((1000 * seconds) / stepMs);
  for (let k = 1; k <= steps; k++) {
    await page.mouse.move(fromX + ((toX - fromX) * k) / steps, fromY + ((toY - fromY) * k) / steps);
    const wait = start + k * stepMs - performance.now();
    if (wait > 1) await pause(wait);
  }
  await page.mouse.up();
}

/** Drags the isovalue over a third of its range and rests. */
export async function dragIsovalue(page: Page, worker: Worker, seconds: number): Promise<DragFigures> {
  const slider = page.getByRole("slider", { name: "Isovalue" });
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.locator("..").boundingBox();
  if (!box) throw new Error("The slider of the isovalue has no box.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 0.35 * box.width, y);
  await page.mouse.down();
  await page.mouse.up();
  await settled(page);
  await reset(page, worker);
  const start = performance.now();
  await pull(page, [box.x + 0.35 * box.width, y], [box.x + 0.65 * box.width, y], seconds);
  await settled(page);
  const took = (performance.now() - start) / 1000;
  const { asked, shown } = await heard(page, worker);
  return dragFigures(asked, shown, took);
}

export interface TurnFigures {
  /** Pictures of the ranks a second; frames where the page draws. */
  readonly picturesPerSecond: number;
  readonly framesPerSecond: number;
  readonly bytes: number | undefined;
}

/** Turns the camera over the picture and rests; then turns it back. */
export async function turnCamera(page: Page, worker: Worker, seconds: number): Promise<TurnFigures> {
  const box = await page.locator("canvas").first().boundingBox();
  if (!box) throw new Error("The picture has no box.");
  const y = box.y + box.height / 2;
  await reset(page, worker);
  const start = performance.now();
  const [from, to] = [[box.x + 0.3 * box.width, y] as const, [box.x + 0.6 * box.width, y + 40] as const];
  await pull(page, from, to, seconds);
  await settled(page);
  const took = (performance.now() - start) / 1000;
  const { shown, frameTimes } = await heard(page, worker);
  await pull(page, to, from, 0.2);
  await settled(page);
  const bytes = shown.flatMap((picture) => (picture.bytes === undefined ? [] : [picture.bytes]));
  return {
    picturesPerSecond: (bytes.length || frameTimes.length) / took,
    framesPerSecond: frameTimes.length / took,
    bytes: bytes.length > 0 ? quantile(bytes, 0.5) : undefined,
  };
}

/** The PNG that “Save picture” gives. */
export async function savedPicture(page: Page): Promise<Buffer> {
  const button = page.getByRole("button", { name: "Save picture" });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFile(await download.path());
}
