// How ranks of MPI are launched, by each library that is installed. Tests over MPI run with all of them.
import { accessSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian's names come first. */
const known = [
  {
    library: "Open MPI",
    programs: ["mpirun.openmpi", "orterun"],
    options: ["--allow-run-as-root", "--oversubscribe"],
  },
  { library: "MPICH", programs: ["mpiexec.hydra"], options: [] },
];

/** @typedef {{ library: string, program: string, options: readonly string[] }} MpiLauncher */

/** @returns {readonly MpiLauncher[]} */
export function mpiLaunchers() {
  return known.flatMap(({ library, programs, options }) => {
    const program = programs.map(pathOf).find((path) => path !== undefined);
    return program === undefined ? [] : [{ library, program, options }];
  });
}

/** What tests say where there are none. */
export const withoutMpi =
  "left out: tests of ranks over MPI, because neither Open MPI nor MPICH is installed (CONTRIBUTING.md says how to run them)";

/** @param {string} program */
function pathOf(program) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path);
        return true;
      } catch {
        return false;
      }
    });
}
