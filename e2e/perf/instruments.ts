import type { Page } from "@playwright/test";

declare global {
  interface Window {
    perf: {
      /** Durations of main-thread tasks over 50 ms, in ms, since the last `reset`. */
      longTasks: number[];
      /** Times between animation frames of the main thread, in ms, since the last `reset`. */
      frames: number[];
      /** Milliseconds from navigation to the first picture with triangles in it; undefined before. */
      firstPicture: number | undefined;
      reset(): void;
    };
  }
}

/** Puts the instruments into every page that `page` opens from now on. */
export async function install(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const perf: Window["perf"] = {
      longTasks: [],
      frames: [],
      firstPicture: undefined,
      reset() {
        perf.longTasks = [];
        perf.frames = [];
      },
    };
    window.perf = perf;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) perf.longTasks.push(duration);
    }).observe({ type: "longtask", buffered: true });
    let last = performance.now();
    const frame = (now: number) => {
      perf.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const watch = setInterval(async () => {
      const triangles = window.crinkle?.store.getState().surface.counts?.triangles;
      if (!triangles) return;
      clearInterval(watch);
      await window.crinkle.engine.settled();
      perf.firstPicture = performance.now();
    }, 10);
  });
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
