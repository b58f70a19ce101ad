// A rank over MPI, which tests start with the name of what it does; rank 0 prints the outcome as JSON.
import type { Communicator, Value } from "../../../cluster/communicator/communicator.ts";
import { CommunicatorError } from "../../../cluster/communicator/errors.ts";
import { add, max } from "../../../cluster/communicator/operators/elements.ts";
import { check } from "../../../cluster/testing/check.ts";
import { noJob } from "../../../core/job.ts";
import { openMpi } from "../open-mpi.ts";

/** How a call ends. */
const endOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof CommunicatorError ? error.message : String(error)),
  );

/** The ends on all ranks of calls that are wrong on rank 1. */
async function faults(world: Communicator): Promise<Value | undefined> {
  const isOdd = world.rank === 1;
  const long = new Float32Array(isOdd ? 5000 : 6000);
  const calls: readonly ((on: Communicator) => Promise<unknown>)[] = [
    (on) => (isOdd ? on.allreduce(long, add) : on.barrier()),
    (on) => on.allreduce(long, add),
    (on) => on.allreduce(new Float32Array(5000), isOdd ? max : add),
    (on) => on.bcast("x", isOdd ? 1 : 0),
    (on) => (isOdd ? on.scatter(undefined, 0) : on.allgather(1)),
    (on) => (isOdd ? on.allreduce<number>(1, add) : on.allreduce(long, add)),
    (on) => (isOdd ? Promise.resolve(on.revoke()) : on.barrier()),
    (on) => on.reduce(new Float32Array(5000), add, isOdd ? 7 : 0),
    (on) => (isOdd ? on.dup().then((child) => child.barrier()) : on.barrier()),
    () => world.shrink(),
  ];
  const ends: string[] = [];
  for (const call of calls) ends.push(await endOf(call(await world.dup())));
  return world.gather(ends);
}

const [, , what] = process.argv;
const { world, local, library, finalize } = await openMpi();
if (what === "lost" && world.rank === 1) process.kill(process.pid, "SIGKILL");
if (what === "left" && world.rank === 1) process.exit(0);
if (what === "lost" || what === "left") await world.barrier();
const results =
  what === "check"
    ? await check.run(
        { communicator: world, engine: undefined, context: noJob },
        { longBytes: Number(process.argv[3]) },
      )
    : await faults(world);
const localRanks = await world.gather(local.rank);
if (results) console.log(JSON.stringify({ library, localRanks, results }));
await finalize();
