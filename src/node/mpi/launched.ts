/**
 * How many ranks an MPI launcher started, of which this process is one; 1 if none did. Slurm's own variable is that of
 * srun, whichever MPI it serves.
 */
export const launchedRanks = ({
  OMPI_COMM_WORLD_SIZE,
  PMI_SIZE,
  SLURM_STEP_NUM_TASKS,
}: Readonly<Record<string, string | undefined>>): number =>
  Number(OMPI_COMM_WORLD_SIZE ?? PMI_SIZE ?? SLURM_STEP_NUM_TASKS ?? 1);
