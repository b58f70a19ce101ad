/**
 * How many ranks an MPI launcher started, of which this process is one; undefined if none did. Slurm's own variable is that
 * of srun, whichever MPI it serves.
 */
export function launchedRanks({
  OMPI_COMM_WORLD_SIZE,
  PMI_SIZE,
  SLURM_STEP_NUM_TASKS,
}: Readonly<Record<string, string | undefined>>): number | undefined {
  const size = OMPI_COMM_WORLD_SIZE ?? PMI_SIZE ?? SLURM_STEP_NUM_TASKS;
  return size === undefined ? undefined : Number(size);
}
