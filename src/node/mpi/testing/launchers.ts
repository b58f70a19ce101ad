import { type MpiLauncher, mpiLaunchers, withoutMpi } from "../../../../tools/mpi-launchers.mjs";

/** How each installed library's ranks are launched. */
export const launchers = mpiLaunchers();

export type Launcher = MpiLauncher;

if (launchers.length === 0) console.info(withoutMpi);
