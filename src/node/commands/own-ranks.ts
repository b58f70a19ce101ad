import { availableParallelism } from "node:os";
import { numberOption, usage } from "../command-line/arguments.ts";
import { launchedRanks } from "../mpi/launched.ts";

/** The most ranks that one machine is asked to run. */
const maxRanks = 64;

/**
 * How many ranks this process and those that it starts are, where `--ranks` says `given`, and `usual` ones are taken where it is
 * left out; undefined where MPI has launched several. A process that is launched alone is one rank unless `--ranks` says
 * otherwise. Throws Usage.
 */
export function ownRanks(
  given: string | undefined,
  usual: number,
  environment: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const launched = launchedRanks(environment);
  if (launched === undefined || launched === 1)
    return given === undefined ? (launched ?? usual) : rankCount(given);
  if (given === undefined) return undefined;
  throw usage("--ranks is given, but MPI has started the ranks.", "Leave it out: -n says how many.");
}

function rankCount(text: string): number {
  const count = numberOption("ranks", text);
  if (Number.isInteger(count) && count >= 1 && count <= maxRanks) return count;
  throw usage(
    `The option --ranks is ${text}.`,
    `Give a whole number from 1 to ${maxRanks}; this machine has ${availableParallelism()} cores.`,
  );
}
