import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckResult } from "../../cluster/testing/check.ts";
import { launchedRanks } from "./launched.ts";
import { mpiCandidates } from "./load.ts";
import { openMpi } from "./open-mpi.ts";
import { type Launcher, launchers } from "./testing/launchers.ts";

let folder = "";

beforeAll(async () => {
  if (launchers.length === 0) return;
  folder = await mkdtemp(join(tmpdir(), "crinkle-mpi-"));
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: "src/node/mpi/testing/check-rank.ts",
        // koffi finds its binary beside itself.
        external: ["koffi"],
        output: {
          entryFileNames: "rank.mjs",
          chunkFileNames: "[name]-[hash].mjs",
          paths: { koffi: koffi() },
        },
      },
    },
  });
});

/** Where the program, which is built elsewhere, finds the package. */
function koffi(): string {
  return import.meta.resolve("koffi");
}

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

interface Outcome<R> {
  readonly library: string;
  readonly localRanks: readonly number[];
  readonly results: R;
}

/** Runs the program on three ranks; resolves to the launcher's exit code and what they printed. */
function launch({ program, options }: Launcher, ...args: string[]) {
  const all = [...options, "-n", "3", process.execPath, join(folder, "rank.mjs"), ...args];
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>(
    (resolve, reject) => {
      const child = spawn(program, all, { stdio: ["ignore", "pipe", "pipe"] });
      let [out, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        out += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        err += text;
      });
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, out, err }));
    },
  );
}

async function outcomeOf<R>(launcher: Launcher, ...args: string[]): Promise<Outcome<R>> {
  const { code, out, err } = await launch(launcher, ...args);
  expect(code, out + err).toBe(0);
  // Libraries may print warnings, too.
  return JSON.parse(out.split("\n").find((line) => line.startsWith("{")) ?? "null");
}

describe.each(launchers)("ranks over $library", (launcher) => {
  it("pass the check of every call", async () => {
    const outcome = await outcomeOf<CheckResult[]>(launcher, "check", "2000000");
    expect(outcome.library).toContain(launcher.library);
    expect(outcome.localRanks).toEqual([0, 1, 2]);
    expect(outcome.results.length).toBeGreaterThan(100);
    expect(outcome.results.filter(({ passed }) => !passed)).toEqual([]);
  });

  it("get errors where they call different collectives, and continue on other communicators", async () => {
    const { results } = await outcomeOf<string[][]>(launcher, "faults");
    const revoked = /^(Rank \d|The communicator) (was )?revoked/;
    const differs = /Rank \d calls \w+ (where|with a different)/;
    /** What rank 1 and one of the others see of each call. */
    const expected = [
      ...Array.from({ length: 6 }, () => [differs, differs]),
      [/^done$/, revoked],
      [/The root 7 of reduce is not a rank/, revoked],
      [differs, differs],
      [/cannot continue in a new epoch/, /cannot continue in a new epoch/],
    ];
    expect(results.length).toBe(3);
    for (const [rank, ends] of results.entries()) {
      expect(ends.length).toBe(expected.length);
      for (const [k, end] of ends.entries()) {
        const [own, others] = expected[k];
        const pattern = rank === 1 ? own : others;
        // Another rank may have revoked the communicator first.
        if (pattern !== differs || !revoked.test(end)) expect(end).toMatch(pattern);
      }
    }
  });

  it("end with the job when one of them is lost, or ends alone, which aborts it", async () => {
    const [lost, left] = await Promise.all([launch(launcher, "lost"), launch(launcher, "left")]);
    for (const { code, out } of [lost, left]) {
      expect(code).not.toBe(0);
      expect(out).not.toContain("results");
    }
    // The code that it aborts with. MPICH's launcher gives 9 where it ends the others by itself.
    expect(left.code).toBe(1);
  });
});

describe("the library", () => {
  it("is the launcher's", () => {
    expect(mpiCandidates({ OMPI_COMM_WORLD_SIZE: "2" })[0]).toContain("libmpi.");
    expect(mpiCandidates({ PMI_SIZE: "2" })[0]).toContain("libmpich.");
    expect(mpiCandidates({ OMPI_COMM_WORLD_SIZE: "2", CRINKLE_MPI_LIBRARY: "/opt/libmpi.so" })).toEqual([
      "/opt/libmpi.so",
    ]);
    expect(mpiCandidates({}).length).toBeGreaterThan(3);
    expect(launchedRanks({ SLURM_STEP_NUM_TASKS: "8", SLURM_NTASKS: "16" })).toBe(8);
    expect(launchedRanks({ OMPI_COMM_WORLD_SIZE: "1" })).toBe(1);
    expect(launchedRanks({ SLURM_NTASKS: "16" })).toBeUndefined();
  });

  it("that cannot be loaded is refused with what was tried", async () => {
    await expect(openMpi({ CRINKLE_MPI_LIBRARY: "/nowhere/libmpi.so" })).rejects.toMatchObject({
      tag: "Refused",
      problem: expect.stringContaining("Tried: /nowhere/libmpi.so"),
      remedy: expect.stringContaining("CRINKLE_MPI_LIBRARY"),
    });
  });
});
