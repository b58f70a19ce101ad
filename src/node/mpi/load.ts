import { CrinkleError, describeError } from "../../core/errors.ts";
import { type Abi, mpichAbi, openMpiAbi, standardAbi } from "./abi.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A loaded library. */
interface LoadedMpi {
  readonly abi: Abi;
  readonly name: string;
  /** The function that a C declaration describes. */
  bind(declaration: string): (...all: never[]) => number;
  /** Lets another process have this core, if one waits for it. */
  yieldCore(): void;
}

/** Names under which the systems' packages and the projects themselves install their libraries. */
const openMpiNames = ["libmpi.so.40", "libmpi.40.dylib"];
const mpichNames = ["libmpich.so.12", "libmpi.so.12", "libmpi.12.dylib"];
const standardNames = ["libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so", "libmpi_abi.dylib"];

/** What to try, in order: first libraries of the kind that the launcher of this process belongs to, if it was launched. */
export function mpiCandidates(environment: Environment): readonly string[] {
  const given = environment.CRINKLE_MPI_LIBRARY;
  if (given) return [given];
  return environment.PMI_SIZE && !environment.OMPI_COMM_WORLD_SIZE
    ? [...mpichNames, ...standardNames, ...openMpiNames]
    : [...openMpiNames, ...standardNames, ...mpichNames];
}

/**
 * Loads MPI with the package koffi, which calls functions of C libraries. Throws Refused if the package or a library is
 * missing, with what was tried.
 */
export async function loadMpi(environment: Environment): Promise<LoadedMpi> {
  const koffi = await import("koffi").catch((cause: unknown) => {
    throw new CrinkleError({
      tag: "Refused",
      problem: `MPI cannot be called from this Node: ${describeError(cause)}.`,
      remedy: "Install the package koffi.",
      cause,
    });
  });
  // UCX, through which MPICH sends, tries its memory hooks with sbrk(page) and sbrk(-page) without looking at the results.
  // If V8's code lies right behind the heap, the first fails, and the second takes a page of the heap away.
  process.env.UCX_MEM_EVENTS ??= "no";
  const tried: string[] = [];
  for (const name of mpiCandidates(environment)) {
    try {
      // Open MPI's plug-ins look for its symbols among the global ones.
      const library = koffi.load(name, { global: true, lazy: true });
      return {
        abi: abiOf(name, (symbol) => library.symbol(symbol)),
        name,
        bind: (text) => library.func(text),
        yieldCore: koffi.load(null).func("int sched_yield()"),
      };
    } catch (error) {
      tried.push(`${name} (${describeError(error).trim()})`);
    }
  }
  throw new CrinkleError({
    tag: "Refused",
    problem: `No MPI library could be loaded. Tried: ${tried.join("; ")}.`,
    remedy: "Install Open MPI or MPICH, or set CRINKLE_MPI_LIBRARY to the path of the library.",
  });
}

/** Which ABI the library has; throws for one that has none of those. */
function abiOf(name: string, symbol: (name: string) => bigint): Abi {
  if (name.includes("mpi_abi")) return standardAbi;
  try {
    symbol("ompi_mpi_comm_world");
  } catch {
    // MPICH's own, and those of libraries that are compatible with it.
    symbol("MPI_F_STATUS_IGNORE");
    return mpichAbi;
  }
  return openMpiAbi(symbol);
}
