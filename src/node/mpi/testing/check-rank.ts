// A rank that runs the check of every call over MPI, which tests start; rank 0 prints the results as JSON.
import { check } from "../../../cluster/testing/check.ts";
import { noJob } from "../../../core/job.ts";
import { openMpi } from "../open-mpi.ts";

const { world, localRank, library, finalize } = await openMpi();
const results = await check.run(
  { communicator: world, engine: undefined, context: noJob },
  { longBytes: Number(process.argv[2]) },
);
const localRanks = await world.gather(localRank);
if (results) console.log(JSON.stringify({ library, localRanks, results }));
await finalize();
