import type { Page } from "@playwright/test";

declare global {
  interface Window {
    perf: {
      /** Durations of main-thread tasks over 50 ms, in ms, since the last `reset`. */
      longTasks: number[];
      /** What ran in the animation frames that were long, for whoever must shorten them. */
      longFrames: string[];
      /** Times between animation frames of the main thread, in ms, since the last `reset`. */
      frames: number[];
      /** Milliseconds from navigation to the first picture with triangles in it; undefined before. */
      firstPicture: number | undefined;
      reset(): void;
    };
  }
}

/** A script's part of a long animation frame, as Chromium reports it. */
interface LongScript {
  readonly invoker: string;
  readonly sourceURL: string;
  readonly sourceFunctionName: string;
  readonly duration: number;
}

/** Puts the instruments into every page that `page` opens from now on. */
export async function install(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const perf: Window["perf"] = {
      longTasks: [],
      longFrames: [],
      frames: [],
      firstPicture: undefined,
      reset() {
        perf.longTasks = [];
        perf.longFrames = [];
        perf.frames = [];
      },
    };
    window.perf = perf;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) perf.longTasks.push(duration);
    }).observe({ type: "longtask", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { scripts } = entry as PerformanceEntry & { scripts: readonly LongScript[] };
        const ran = scripts.map(
          ({ invoker, sourceURL, sourceFunctionName, duration }) =>
            `${Math.round(duration)} ms ${invoker} ${sourceURL.split("/").at(-1)} ${sourceFunctionName}`,
        );
        perf.longFrames.push(`${Math.round(entry.duration)} ms: ${ran.join("; ") || "no script"}`);
      }
    }).observe({ type: "long-animation-frame", buffered: true });
    let last = performance.now();
    const frame = (now: number) => {
      perf.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const watch = setInterval(async () => {
      const facts = Object.values(window.crinkle?.store.getState().layers.facts ?? {});
      const triangles = facts[0]?.counts?.triangles;
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
