import { availableParallelism } from "node:os";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { CommunicatorError } from "../../cluster/communicator/errors.ts";
import { communicatorOf } from "../../cluster/communicator/group-communicator.ts";
import { World } from "../../cluster/communicator/world.ts";
import { launchedRanks } from "./launched.ts";
import { MpiLibrary } from "./library.ts";
import { MpiLinks } from "./links.ts";
import { MpiCollectives } from "./mpi-collectives.ts";
import { OpenedCalls } from "./opened-calls.ts";
import { epoch } from "./opening.ts";
import { Requests } from "./requests.ts";

/** The MPI that this process was launched with. */
export interface MpiSession {
  /** All ranks, MPI_COMM_WORLD. */
  readonly world: Communicator;
  /** This rank's number among those on its machine, and how many they are. */
  readonly local: { readonly rank: number; readonly size: number };
  /** The library, such as "Open MPI (libmpi.so.40)". */
  readonly library: string;
  /** MPI_Finalize: waits for all ranks to call it. No communicator may be used afterwards. */
  finalize(): Promise<void>;
}

/** Of collectives that are made of messages: measured on one machine. `tuned()` measures the real ones. */
const tuning: Tuning = { latencyMs: 0.03, bytesPerMs: 2_000_000 };

/**
 * Joins the ranks that mpirun, mpiexec or srun launched together with this process; waits for all of them. Keeps the
 * process until `finalize`. Throws Refused if no MPI can be loaded, or another one than the launcher's was.
 */
export async function openMpi(environment: Environment = process.env): Promise<MpiSession> {
  const library = await MpiLibrary.open(environment);
  const { abi, name, call } = library;
  checkLauncher(library, environment);
  // Not every launcher ends the job with a process that ends alone: srun with PMI-2 lets the others wait for it.
  const abort = (code: number) => void call.Abort(abi.world, code || 1);
  process.once("exit", abort);
  const local = library.local();
  const requests = new Requests(library, local.size > availableParallelism());
  const messages = new MpiLinks(library, requests, library.dup(abi.world));
  const world = new World({
    rank: library.rankIn(abi.world),
    links: messages.links,
    epoch,
    tuning,
    next: () => Promise.reject(cannotShrink()),
  });
  for (const [from, link] of messages.links.entries()) {
    link?.start({
      allocate: (header) => world.allocate(from, header),
      message: (message) => world.receive(from, message),
      ended: () => {},
    });
  }
  const communicator = communicatorOf(
    world,
    tuning,
    new MpiCollectives(OpenedCalls.ofWorld(library, requests)),
  );
  return {
    world: communicator,
    local,
    library: `${abi.name} (${name})`,
    async finalize() {
      await communicator.barrier();
      messages.close();
      await requests.close();
      process.off("exit", abort);
      library.check(call.Finalize(), "MPI_Finalize");
    },
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** With a library other than the launcher's each process would be alone. */
function checkLauncher(library: MpiLibrary, environment: Environment): void {
  const size = library.sizeOf(library.abi.world);
  const launched = launchedRanks(environment) ?? 1;
  if (launched === size || launched === 1) return;
  throw new CommunicatorError({
    tag: "Refused",
    mpi: "MPI_ERR_OTHER",
    problem: `${library.abi.name} (${library.name}) found ${size} of the ${launched} ranks that were launched.`,
    remedy:
      "Set CRINKLE_MPI_LIBRARY to the path of the library that the launcher belongs to; srun's option --mpi must suit it, too.",
  });
}

const cannotShrink = () =>
  new CommunicatorError({
    tag: "Refused",
    mpi: "MPI_ERR_OTHER",
    problem: "Ranks over MPI cannot continue in a new epoch: MPI ends the job when one of them is lost.",
    remedy: "Start the job again, or use ranks of a room, which continue without those that are lost.",
    operation: "shrink",
  });
