import { cancelled } from "../core/errors.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { BenchOptions, BenchRow } from "./case.ts";
import { CopyRates, cases, copyCase } from "./cases/index.ts";
import { toRow } from "./report.ts";

/** Who hears of a run as it goes on. */
export interface BenchListener {
  /** A case is about to be measured. */
  onCase?(name: string, index: number): void;
  onRow(row: BenchRow): void;
  /** A case threw: it needs more memory than there is, for instance. Without this the run ends with the error. */
  onFailure?(name: string, error: unknown): void;
}

/** Names of the cases that a filter, a regular expression, leaves; the copy comes first and always. */
export function caseNames(filter: string): string[] {
  const pattern = new RegExp(filter);
  const wanted = cases.map(({ name }) => name).filter((name) => pattern.test(name));
  return [copyCase.name, ...wanted.filter((name) => name !== copyCase.name)];
}

/**
 * Runs the copy, then the other cases that the filter leaves: each is held against a copy of about as many bytes.
 * `signal` ends the run between two cases.
 */
export async function runBench(
  gpu: GpuContext,
  options: BenchOptions,
  listener: BenchListener,
  signal?: AbortSignal,
): Promise<void> {
  listener.onCase?.(copyCase.name, 0);
  const copied = await copyCase.run({ ...options, n: undefined, gpu });
  const rates = new CopyRates(gpu);
  rates.add(copied);
  listener.onRow(toRow(copyCase.name, copied, copied.bytes / copied.ms / 1e6));
  for (const [k, name] of caseNames(options.filter).slice(1).entries()) {
    if (signal?.aborted) throw cancelled("The bench");
    listener.onCase?.(name, k + 1);
    const one = cases.find((candidate) => candidate.name === name)!;
    try {
      const measured = await one.run({ ...options, gpu });
      listener.onRow(toRow(name, measured, await rates.at(measured.bytes)));
    } catch (error) {
      if (!listener.onFailure || gpu.isLost) throw error;
      listener.onFailure(name, error);
    }
  }
}
