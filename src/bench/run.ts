import { cancelled } from "../core/errors.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { BenchOptions, BenchRow } from "./case.ts";
import { cases, copyCase } from "./cases/index.ts";
import { toRow } from "./report.ts";

/** Who hears of a run as it goes on. */
export interface BenchListener {
  /** A case is about to be measured. */
  onCase?(name: string, index: number): void;
  onRow(row: BenchRow): void;
  /** A case threw: it needs more memory than there is, for instance. Without this the run ends with the error. */
  onFailure?(name: string, error: unknown): void;
}

/** Names of the cases that a filter leaves; the copy comes first and always. */
export function caseNames(filter: string): string[] {
  const wanted = cases.map(({ name }) => name).filter((name) => name.includes(filter));
  return [copyCase.name, ...wanted.filter((name) => name !== copyCase.name)];
}

/** Runs the copy, then the other cases that the filter leaves. `signal` ends the run between two cases. */
export async function runBench(
  gpu: GpuContext,
  options: BenchOptions,
  listener: BenchListener,
  signal?: AbortSignal,
): Promise<void> {
  listener.onCase?.(copyCase.name, 0);
  const copied = await copyCase.run({ ...options, n: undefined, gpu });
  const copyGbs = copied.bytes / copied.ms / 1e6;
  listener.onRow(toRow(copyCase.name, copied, copyGbs));
  for (const [k, name] of caseNames(options.filter).slice(1).entries()) {
    if (signal?.aborted) throw cancelled("The bench");
    listener.onCase?.(name, k + 1);
    const one = cases.find((candidate) => candidate.name === name)!;
    try {
      listener.onRow(toRow(name, await one.run({ ...options, gpu }), copyGbs));
    } catch (error) {
      if (!listener.onFailure || gpu.isLost) throw error;
      listener.onFailure(name, error);
    }
  }
}
