/** What a launcher tells a process of its place among those that it started. */
export interface Launch {
  readonly by: "Slurm" | "Open MPI" | "PMI" | "Kubernetes";
  readonly rank: number;
  readonly size: number | undefined;
  /** Among those on the same machine. */
  readonly localRank: number | undefined;
}

const launchers: readonly {
  readonly by: Launch["by"];
  readonly rank: string;
  readonly size: readonly string[];
  readonly local: string;
}[] = [
  {
    by: "Open MPI",
    rank: "OMPI_COMM_WORLD_RANK",
    size: ["OMPI_COMM_WORLD_SIZE"],
    local: "OMPI_COMM_WORLD_LOCAL_RANK",
  },
  { by: "Slurm", rank: "SLURM_PROCID", size: ["SLURM_NTASKS", "SLURM_NPROCS"], local: "SLURM_LOCALID" },
  { by: "PMI", rank: "PMI_RANK", size: ["PMI_SIZE"], local: "MPI_LOCALRANKID" },
  { by: "Kubernetes", rank: "JOB_COMPLETION_INDEX", size: ["JOB_COMPLETIONS"], local: "" },
];

/** The launcher that started this process, if one did. */
export function readLaunch(environment: Readonly<Record<string, string | undefined>>): Launch | undefined {
  const count = (name: string) => {
    const text = environment[name];
    return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
  };
  for (const { by, rank, size, local } of launchers) {
    const own = count(rank);
    if (own === undefined) continue;
    return { by, rank: own, size: size.map(count).find((n) => n !== undefined), localRank: count(local) };
  }
  return undefined;
}
