import type { Value } from "../../cluster/communicator/communicator.ts";
import { boxCount } from "../../core/box.ts";
import type { RankTrace, Traffic } from "../../core/rank-trace.ts";
import { ownValues } from "./block-values.ts";
import { jobTrace, sendingIn } from "./job-trace.ts";
import { withPace } from "./paces.ts";
import type { RankReport, RankWork } from "./rank-report.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { spansOf, tableOf } from "./span-table.ts";
import type { Activity } from "./stopwatch.ts";

/** What a rank says of its part of a grid. */
export function gridWork({
  communicator: { rank },
  data,
  watch,
}: RankedRun): Omit<RankReport, keyof RankWork> {
  const { grid, cells, speeds } = data;
  const [nx, ny, nz] = grid.dims;
  return {
    block: cells.first.map((first, axis) => [first, cells.end[axis]] as const),
    share: boxCount(ownValues(grid, cells, "node")) / (nx * ny * nz),
    ...(speeds ? { speed: speeds[rank] } : {}),
    bytesRead: watch.bytesRead,
    ...watch.device.cost,
  };
}

interface Reports<T> {
  readonly ranks: readonly (RankWork & T)[];
  readonly trace: RankTrace;
}

/** What a rank sends with its spans. */
interface OwnReport {
  readonly device: string;
  readonly ms: Readonly<Record<Activity, number>>;
  readonly traffic: Traffic;
  readonly clock: number;
  readonly names: readonly string[];
}

/**
 * What all ranks did so far, on rank 0, each with what that rank adds to it; undefined on the others. No rank waits for another one:
 * of a collective it is not known when the others began, and all of it counts as waiting.
 */
export async function gatherWork<T extends object>(
  { communicator, engine, watch }: RecordedRun,
  more: T,
): Promise<readonly (RankWork & T)[] | undefined> {
  const { summary } = await engine.device();
  watch.stop();
  const { collective, ...own } = watch.ms;
  const ms = { ...own, wait: own.wait + collective };
  const work = { device: summary.description, ...watch.traffic, ms, ...more };
  const all = await communicator.gather<Value>(work as unknown as Value);
  return all?.map((each, rank) => ({ rank, ...(each as unknown as Omit<RankWork, "rank"> & T) }));
}

/**
 * Ends all ranks' records of a job and gathers them on rank 0, each with what that rank adds to it; undefined on the others. Ranks
 * wait for each other first, and their clocks are compared in the middle of one more barrier, which none of them is late for.
 */
export async function gatherReports<T extends object>(
  { communicator, engine, watch }: RecordedRun,
  more: T,
): Promise<Reports<T> | undefined> {
  const { summary } = await engine.device();
  await communicator.barrier();
  watch.stop();
  if (watch.evaluated) engine.paces = withPace(engine.paces ?? [], watch.evaluated);
  const start = performance.now();
  await communicator.barrier();
  const clock = (start + performance.now()) / 2;
  const { names, rows } = tableOf(watch.spans);
  const report = {
    device: summary.description,
    ms: { ...watch.ms },
    traffic: { ...watch.traffic },
    clock,
    names,
  };
  const [reports, tables] = await Promise.all([
    communicator.gather<Value>({ ...report, more: more as Value }),
    communicator.gather(rows),
  ]);
  if (!reports || !tables) return undefined;
  // All ranks run the same job: each has sent what this one has.
  const all = reports.map((each) => each as unknown as OwnReport & { readonly more: T });
  const trace = jobTrace(
    all.map(({ names, clock }, rank) => ({ clock, spans: spansOf({ names, rows: tables[rank] }) })),
  );
  const ranks = all.map(({ device, ms, traffic, more }, rank) => {
    const { collective, ...own } = ms;
    const send = sendingIn(trace[rank]);
    const wait = own.wait + Math.max(0, own.send + collective - send);
    return { rank, device, ...more, ...traffic, ms: { ...own, send, wait } };
  });
  return { ranks, trace };
}
