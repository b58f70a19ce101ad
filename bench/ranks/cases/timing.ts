import { timePass } from "../../../src/bench/measure.ts";
import type { BenchRank, GpuRank, Timed } from "./rank-case.ts";

const trials = 9;
/** No further trial begins after so many milliseconds, but for the third. All ranks have to end alike: the first decides. */
const trialMs = 5000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** From when all ranks begin to when all have ended: the median of some trials. */
export async function together(
  { communicator, gpu, flush, sent = () => 0 }: BenchRank,
  work: () => Promise<{ release(): void } | undefined>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Timed> {
  const times: number[] = [];
  const bytes: number[] = [];
  const begun = performance.now();
  for (let goesOn = true; goesOn; ) {
    await prepare();
    await communicator.barrier();
    const before = sent();
    const start = performance.now();
    const made = await work();
    flush?.();
    await gpu?.idle();
    bytes.push(sent() - before);
    await communicator.barrier();
    times.push(performance.now() - start);
    made?.release();
    const isEnough = times.length >= trials || (times.length >= 3 && performance.now() - begun > trialMs);
    goesOn = await communicator.bcast<boolean>(!isEnough, 0);
  }
  return { ms: median(times.slice(times.length >= trials ? 2 : 1)), sentBytes: median(bytes) };
}

/** The same of one of several equal operations in a row. */
export async function eachOf(count: number, rank: BenchRank, work: () => Promise<unknown>): Promise<Timed> {
  const { ms, sentBytes } = await together(rank, async () => {
    for (let k = 0; k < count; k++) await work();
    return undefined;
  });
  return { ms: ms / count, sentBytes: sentBytes / count };
}

/** What is recorded on this rank's GPU, which has worked for a while: one that was idle is slower. */
export async function timeWarm(
  { communicator, gpu }: GpuRank,
  record: (pass: GPUComputePassEncoder) => void,
): Promise<Timed> {
  await timePass(gpu, record);
  await communicator.barrier();
  return { ms: await timePass(gpu, record), sentBytes: 0 };
}
