import type { Page, Worker } from "playwright-core";
import type { TimedPicture } from "../../src/engine/layers/picture-timing.ts";
import type { AppState } from "../../src/ui/store/state.ts";
import type { Asked, ShownPicture } from "./figures.ts";

interface Watched {
  asked: Asked[];
}

interface Frames {
  /** Times of presented frames. */
  frames: number[];
  pictures: (TimedPicture & { readonly at: number })[];
}

interface Scope {
  watched: Watched;
  seen: Frames;
  crinkle: {
    store: { getState(): AppState; subscribe(heard: () => void): void };
    engine: { settled(): Promise<unknown> };
  };
}

/** Notes when the pointer asks for isovalues, and when the engine's worker presents what. Times are those of day, in ms. */
export async function watch(page: Page): Promise<Worker> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as Scope;
    scope.watched = { asked: [] };
    let pointer = performance.now();
    addEventListener(
      "pointermove",
      ({ timeStamp }) => {
        pointer = timeStamp;
      },
      { capture: true },
    );
    let asked: number | undefined;
    scope.crinkle.store.subscribe(() => {
      const { list, selected } = scope.crinkle.store.getState().layers;
      const layer = list.find(({ id }) => id === selected);
      if (layer?.shape.kind !== "isosurface") return;
      const [isovalue] = layer.shape.isovalues;
      if (isovalue !== asked) scope.watched.asked.push({ isovalue, at: performance.timeOrigin + pointer });
      asked = isovalue;
    });
  });
  const worker = await engineWorker(page);
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Scope;
    scope.seen = { frames: [], pictures: [] };
    const { prototype } = GPUCanvasContext;
    const { getCurrentTexture } = prototype;
    prototype.getCurrentTexture = function (this: GPUCanvasContext) {
      scope.seen.frames.push(performance.timeOrigin + performance.now());
      return getCurrentTexture.call(this);
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { detail, startTime, duration } = entry as PerformanceMeasure;
        scope.seen.pictures.push({ ...detail, at: performance.timeOrigin + startTime + duration });
      }
    }).observe({ type: "measure" });
  });
  return worker;
}

async function engineWorker(page: Page): Promise<Worker> {
  for (const worker of page.workers()) {
    const has = await worker.evaluate(() => "GPUCanvasContext" in globalThis).catch(() => false);
    if (has && /worker/i.test(worker.url())) return worker;
  }
  throw new Error("The page has no worker that draws.");
}

export async function reset(page: Page, worker: Worker): Promise<void> {
  await page.evaluate(() => {
    (globalThis as unknown as Scope).watched = { asked: [] };
  });
  await worker.evaluate(() => {
    (globalThis as unknown as Scope).seen = { frames: [], pictures: [] };
  });
}

export interface Heard {
  readonly asked: readonly Asked[];
  readonly shown: readonly ShownPicture[];
  /** When frames were presented. */
  readonly frameTimes: readonly number[];
}

/** What has been asked for and shown since `reset`; a surface or picture is shown by the first frame after it. */
export async function heard(page: Page, worker: Worker): Promise<Heard> {
  const { asked } = await page.evaluate(() => (globalThis as unknown as Scope).watched);
  const { frames, pictures } = await worker.evaluate(() => (globalThis as unknown as Scope).seen);
  const shown = pictures.flatMap(({ isovalue = Number.NaN, bytes, at }) => {
    const frame = frames.find((time) => time >= at);
    return frame === undefined ? [] : [{ isovalue, bytes, at: frame }];
  });
  return { asked, shown, frameTimes: frames };
}
