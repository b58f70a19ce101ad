import * as reductions from "../cluster/communicator/operators/elements.ts";
import { CrinkleError } from "../core/errors.ts";
import type * as api from "../embed/rank-programs.ts";
import { localPrimitives } from "../engine/ranks/distributed-surface.ts";
import { openDevice } from "./device.ts";
import type { WantedDevice } from "./device-option.ts";
import { takeGpu, takeGpuAmong } from "./gpus/take.ts";
import { launchedRanks } from "./mpi/launched.ts";
import { openProgramRoom } from "./rank/program-room.ts";

export { all, around, own } from "../core/primitives/access.ts";
export { defineKernel } from "../core/primitives/kernel.ts";
export * as operators from "../core/primitives/operators.ts";
export { defineReduction, defineTally } from "../core/primitives/reduction.ts";
export { createDistributedPrimitives } from "../distributed/distributed-primitives.ts";
export { reductions };

let hasJoined = false;

export const joinRanks: typeof api.joinRanks = async ({
  count = 2,
  device = "auto",
  log = console.error,
} = {}) => {
  if (hasJoined) throw joinedBefore();
  if (!Number.isInteger(count) || count < 1) throw badCount(count);
  hasJoined = true;
  const { world, end } =
    launchedRanks(process.env) === undefined
      ? await startedRanks(count, device, log)
      : await mpiRanks(device, log);
  const { gpu, summary } = await openDevice(device);
  const { local, dispose } = await localPrimitives(gpu);
  return {
    world,
    local,
    device: summary.description,
    async close() {
      await end();
      dispose();
      gpu?.dispose();
    },
  };
};

/** All ranks, and what ends this one's part. */
interface JoinedWorld {
  readonly world: api.Communicator;
  end(): Promise<void>;
}

async function startedRanks(
  count: number,
  device: WantedDevice,
  log: (line: string) => void,
): Promise<JoinedWorld> {
  const { world, isFirst, end } = await openProgramRoom(count, device, log);
  // The others were started each with a GPU of its own.
  if (isFirst && device !== "cpu" && count > 1) await takeGpu(0);
  return { world, end };
}

async function mpiRanks(device: WantedDevice, log: (line: string) => void): Promise<JoinedWorld> {
  const { openMpi } = await import("./mpi/open-mpi.ts");
  const { world, local, finalize } = await openMpi();
  if (device !== "cpu") await takeGpuAmong(local, log);
  return { world, end: finalize };
}

const badCount = (count: number) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `joinRanks was called for ${count} ranks.`,
    remedy: "Give it a whole number of at least 1.",
  });

const joinedBefore = () =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "joinRanks was called twice by one process, which is one rank.",
    remedy: "Pass on what the first call gave; dup() and split() make further communicators.",
  });
