import { describe, expect, it } from "vitest";
import { detectLauncher } from "./launcher.ts";

describe("the launcher's variables", () => {
  it("give rank, size and local rank", () => {
    expect(detectLauncher({ SLURM_PROCID: "5", SLURM_NTASKS: "16", SLURM_LOCALID: "1" })).toEqual({
      launcher: "Slurm",
      rank: 5,
      size: 16,
      localRank: 1,
    });
    expect(
      detectLauncher({
        OMPI_COMM_WORLD_RANK: "0",
        OMPI_COMM_WORLD_SIZE: "4",
        OMPI_COMM_WORLD_LOCAL_RANK: "0",
        SLURM_PROCID: "9",
      }),
    ).toEqual({ launcher: "Open MPI", rank: 0, size: 4, localRank: 0 });
    expect(detectLauncher({ JOB_COMPLETION_INDEX: "3" })).toEqual({
      launcher: "Kubernetes",
      rank: 3,
      size: undefined,
      localRank: undefined,
    });
  });

  it("are ignored unless they are numbers", () => {
    expect(detectLauncher({})).toBeUndefined();
    expect(detectLauncher({ SLURM_PROCID: "", PMI_RANK: "x" })).toBeUndefined();
  });
});
