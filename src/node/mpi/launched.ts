/** Whether a launcher of MPI's started this process as one of several. */
export const isLaunchedByMpi = ({ OMPI_COMM_WORLD_SIZE, PMI_SIZE }: NodeJS.ProcessEnv): boolean =>
  Number(OMPI_COMM_WORLD_SIZE ?? PMI_SIZE ?? 1) > 1;
