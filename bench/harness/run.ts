import type { GpuContext } from "../../src/gpu/device/context.ts";
import { cases, copyCase } from "../cases/index.ts";
import type { BenchOptions, BenchRow } from "./case.ts";
import { toRow } from "./report.ts";

/** Names of the cases that a filter leaves; the copy comes first and always. */
export function caseNames(filter: string): string[] {
  const wanted = cases.map(({ name }) => name).filter((name) => name.includes(filter));
  return [copyCase.name, ...wanted.filter((name) => name !== copyCase.name)];
}

/** Runs the copy, then the other cases that the filter leaves; `onRow` hears each row as it is ready. */
export async function runBench(
  gpu: GpuContext,
  options: BenchOptions,
  onRow: (row: BenchRow) => void,
): Promise<void> {
  const copied = await copyCase.run({ ...options, n: undefined, gpu });
  const copyGbs = copied.bytes / copied.ms / 1e6;
  onRow(toRow(copyCase.name, copied, copyGbs));
  for (const name of caseNames(options.filter).slice(1)) {
    const one = cases.find((candidate) => candidate.name === name)!;
    onRow(toRow(name, await one.run({ ...options, gpu }), copyGbs));
  }
}
