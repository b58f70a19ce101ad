import { quantile } from "../drag/figures.ts";

/** What was seen of a lattice while it ran in the page. Times are in milliseconds. */
export interface Watched {
  readonly seconds: number;
  /** When frames were presented. */
  readonly frames: readonly number[];
  /** Sweeps whose measurements came back. */
  readonly sweeps: number;
  /** Times between animation frames of the main thread. */
  readonly mainFrames: readonly number[];
  /** Tasks of the main thread that took over 50 ms. */
  readonly longTasks: readonly number[];
  /** What the page's buffer pool held before and after. */
  readonly bytes: readonly [before: number, after: number];
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export function livingFigures(
  { seconds, frames, sweeps, mainFrames, longTasks, bytes }: Watched,
  sites: number,
): readonly Figure[] {
  const gaps = frames.slice(1).map((time, k) => time - frames[k]);
  const spins = (sites * sweeps) / seconds / 1e9;
  return [
    { name: "pictures a second", value: frames.length / seconds, unit: "1/s" },
    { name: "sweeps a second", value: sweeps / seconds, unit: "1/s" },
    { name: "sites updated a second", value: spins, unit: "10⁹/s" },
    { name: "between two pictures, median", value: quantile(gaps, 0.5), unit: "ms" },
    { name: "between two pictures, 95 %", value: quantile(gaps, 0.95), unit: "ms" },
    { name: "between two pictures, most", value: Math.max(...gaps), unit: "ms" },
    { name: "main thread's frames, 95 %", value: quantile(mainFrames, 0.95), unit: "ms" },
    { name: "longest main-thread task over 50 ms", value: Math.max(0, ...longTasks), unit: "ms" },
    { name: "GPU buffers", value: bytes[1] / 2 ** 20, unit: "MiB" },
    { name: "growth of GPU buffers meanwhile", value: bytes[1] - bytes[0], unit: "B" },
  ];
}
