import type { StructureFactor } from "../../core/lattice/structure-factor.ts";
import type { LatticeApi, LatticeReading } from "../../engine/api.ts";
import type { StructureAt } from "./structure-series.ts";

export type StructureRequest = Pick<LatticeReading, "lengths" | "values" | "components">;

/** At most so many times a second, in milliseconds between two. */
const restMs = 400;
/** A part of the time at most is spent on it. */
const restOverWork = 3;
/** A transform of more would take seconds and gigabytes. */
export const maxStructureSites = 2 ** 22;

/** Takes the structure factor of the open lattice again and again, whenever its version has changed, until it is stopped. */
export function followStructure(
  lattice: Pick<LatticeApi, "read">,
  version: () => number,
  heard: (at: StructureAt) => void,
  failed: (error: unknown) => void,
): () => void {
  const worker = new Worker(new URL("./structure-worker.ts", import.meta.url), {
    type: "module",
    name: "structure",
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let latest: number | undefined;

  const computed = (reading: LatticeReading): Promise<StructureFactor> =>
    new Promise((resolve, reject) => {
      const { lengths, values, components } = reading;
      worker.onmessage = ({ data }: MessageEvent<StructureFactor>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ lengths, values, components } satisfies StructureRequest, [values.buffer]);
    });

  async function take(): Promise<void> {
    const began = performance.now();
    const present = version();
    if (present !== latest) {
      const reading = await lattice.read();
      const structure = await computed(reading);
      if (isStopped) return;
      latest = present;
      heard({ sweeps: reading.sweeps, structure });
    }
    const work = performance.now() - began;
    timer = setTimeout(run, Math.max(restMs, restOverWork * work));
  }

  function run(): void {
    take().catch((error: unknown) => {
      if (!isStopped) failed(error);
    });
  }

  run();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    worker.terminate();
  };
}
