import { accessSync } from "node:fs";
import { delimiter, join } from "node:path";

/** How each library's ranks are launched; Debian's names come first. */
export const launchers = [
  {
    library: "Open MPI",
    programs: ["mpirun.openmpi", "orterun"],
    options: ["--allow-run-as-root", "--oversubscribe"],
  },
  { library: "MPICH", programs: ["mpiexec.hydra"], options: [] },
].flatMap(({ library, programs, options }) => {
  const program = programs.map(pathOf).find((path) => path !== undefined);
  return program === undefined ? [] : [{ library, program, options }];
});

function pathOf(program: string): string | undefined {
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

export type Launcher = (typeof launchers)[number];

if (launchers.length === 0) {
  console.info("left out: tests of ranks over MPI, because neither Open MPI nor MPICH is installed");
}
