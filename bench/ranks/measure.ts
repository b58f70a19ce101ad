import type { Communicator } from "../../src/cluster/communicator/communicator.ts";
import { CrinkleError, describeError } from "../../src/core/errors.ts";
import { GpuContext } from "../../src/gpu/device/context.ts";
import { openNodeGpu } from "../../src/node/gpu.ts";
import type { RankCase, Timed } from "./cases/rank-case.ts";
import { casesOf } from "./cases.ts";
import type { LeftOut, Measured } from "./measured.ts";

export interface MeasuringOptions {
  /** A part of the names of the cases to run. */
  readonly filter: string;
  readonly isQuick: boolean;
  readonly device: "gpu" | "cpu";
  /** A size that would take longer, judged by the one before it, is left out. */
  readonly maxMs: number;
}

/** Opens this rank's GPU, unless it is to compute on its CPU. Throws an Error where there is none. */
export async function openRankGpu({ device }: MeasuringOptions): Promise<GpuContext | undefined> {
  if (device === "cpu") return undefined;
  const { gpu, reason } = await openNodeGpu([]);
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  return GpuContext.open(gpu);
}

/** What rank 0 hears of. */
export interface MeasuringEvents {
  onRow(row: Measured): void;
  onLeftOut(leftOut: LeftOut): void;
}

/**
 * Runs the cases on all ranks, each with its GPU or on its CPU. A size that would take too long, or that exceeds what a rank's device holds,
 * is left out with the larger ones of its case, and the other cases go on. `sent`: bytes that this rank has sent so far, where that is
 * known.
 */
export async function measureCases(
  communicator: Communicator,
  gpu: GpuContext | undefined,
  { filter, isQuick, maxMs }: MeasuringOptions,
  sent: (() => number) | undefined,
  { onRow, onLeftOut }: MeasuringEvents,
): Promise<void> {
  const { rank, size: ranks } = communicator;
  for (const one of casesOf({ communicator, gpu, sent }).filter(({ name }) => name.includes(filter))) {
    let expectedMs = 0;
    const sizes = isQuick ? [quickSize[one.dimensions]] : one.sizes;
    const leaveOut = (n: number, why: string) => {
      if (rank === 0) onLeftOut({ name: one.name, n, ranks, why });
    };
    for (const [k, n] of sizes.entries()) {
      // All ranks have to go on alike: the first decides.
      if (await communicator.bcast<boolean>(expectedMs > maxMs, 0)) {
        leaveOut(n, `It would take about ${Math.round(expectedMs / 1000)} s.`);
        break;
      }
      const start = performance.now();
      const { timed, problem } = await runTogether(communicator, async (own) => {
        const again = casesOf({ communicator: own, gpu, sent }).find(({ name }) => name === one.name);
        return Object.entries((await again?.run(n)) ?? {});
      });
      if (problem !== undefined) {
        leaveOut(n, problem);
        break;
      }
      const all = await communicator.allgather(
        Float64Array.from(timed.flatMap(([, { ms, sentBytes }]) => [ms, sentBytes])),
      );
      expectedMs = (performance.now() - start) * (sizes[k + 1] / n) ** one.dimensions;
      if (rank !== 0) continue;
      for (const [j, [added, { updates }]] of timed.entries()) {
        const ms = Math.max(...all.map((own) => own[2 * j]));
        const sentBytes = all.reduce((sum, own) => sum + own[2 * j + 1], 0);
        onRow({ name: one.name + added, n, ranks, ms, sentBytes, ...(updates && { updates }) });
      }
    }
  }
}

type Timings = readonly (readonly [added: string, timed: Timed])[];

/** What limits of devices and of vectors are told by; whatever else fails ends the bench. */
const limits: readonly unknown[] = ["TooLarge", "OutOfMemory"] satisfies CrinkleError["tag"][];

/**
 * Runs a case on a communicator of its own, which a rank that passes a limit alone revokes, so that no other waits for it: then all ranks
 * have its problem instead of their timings. Throws what else fails.
 */
export async function runTogether(
  communicator: Communicator,
  run: (own: Communicator) => Promise<Timings>,
): Promise<{ readonly timed: Timings; readonly problem: string | undefined }> {
  const own = await communicator.dup();
  let timed: Timings = [];
  let failure: unknown;
  try {
    timed = await run(own);
  } catch (error) {
    failure = error;
    own.revoke();
  }
  const isLimit = failure instanceof CrinkleError && limits.includes(failure.tag);
  const problems = await communicator.allgather<string>(isLimit ? describeError(failure) : "");
  const problem = problems.find((each) => each !== "");
  if (failure && problem === undefined) throw failure;
  return { timed, problem };
}

/** For software adapters. */
const quickSize: Readonly<Record<RankCase["dimensions"], number>> = { 1: 4096, 2: 128, 3: 24 };
