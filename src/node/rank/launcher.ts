/** The place of a process among those that the same launcher started. */
export interface LauncherInfo {
  readonly launcher: "Slurm" | "Open MPI" | "PMI" | "Kubernetes";
  readonly rank: number;
  readonly size: number | undefined;
  /** Among those on the same machine. */
  readonly localRank: number | undefined;
}

const launchers: readonly {
  readonly launcher: LauncherInfo["launcher"];
  readonly rank: string;
  readonly size: readonly string[];
  readonly local: string;
}[] = [
  {
    launcher: "Open MPI",
    rank: "OMPI_COMM_WORLD_RANK",
    size: ["OMPI_COMM_WORLD_SIZE"],
    local: "OMPI_COMM_WORLD_LOCAL_RANK",
  },
  { launcher: "Slurm", rank: "SLURM_PROCID", size: ["SLURM_NTASKS", "SLURM_NPROCS"], local: "SLURM_LOCALID" },
  { launcher: "PMI", rank: "PMI_RANK", size: ["PMI_SIZE"], local: "MPI_LOCALRANKID" },
  { launcher: "Kubernetes", rank: "JOB_COMPLETION_INDEX", size: ["JOB_COMPLETIONS"], local: "" },
];

/** The launcher that started this process, if any. */
export function detectLauncher(
  environment: Readonly<Record<string, string | undefined>>,
): LauncherInfo | undefined {
  const count = (name: string) => {
    const text = environment[name];
    return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
  };
  for (const { launcher, rank, size, local } of launchers) {
    const own = count(rank);
    if (own === undefined) continue;
    return {
      launcher,
      rank: own,
      size: size.map(count).find((n) => n !== undefined),
      localRank: count(local),
    };
  }
  return undefined;
}
