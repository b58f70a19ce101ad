import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { readNpy } from "../../data/npy/read-npy.ts";
import { readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import type { RankedSimulated, RankedVaried } from "../../embed/ranked-lattice.ts";
import { launchers } from "../mpi/testing/launchers.ts";
import { TestFolder } from "../testing/cli-data.ts";
import { runWithKilledRank } from "../testing/killed-rank.ts";
import { gpuEnvironment, resultOf, runCrinkle } from "../testing/run-crinkle.ts";

const folder = new TestFolder();

type Result = Pick<RankedSimulated, "measures" | "ranks">;
type Varied = Pick<RankedVaried, "points" | "ranks">;

const args = (size: string, sweeps: number, ...more: readonly string[]) => [
  ...["simulate", "ising", "--size", size, "--sweeps", String(sweeps), "--seed", "4"],
  ...["--temperature", "2.2", "--start", "random", ...more],
];

describe("crinkle simulate on ranks", () => {
  it("has the measures and the state of one rank", async () => {
    const [ranked, alone] = [folder.file("ranked.npy"), folder.file("alone.npy")];
    const given = args("64x50", 100, "--device", "cpu");
    const found = await resultOf<Result>([...given, "--ranks", "3", "--out", ranked]);
    const { measures } = await resultOf<Result>([...given, "--out", alone]);
    expect(found.measures).toEqual(measures);
    expect(await readFile(ranked)).toEqual(await readFile(alone));
    expect(found.ranks.map(({ share }) => share)).toEqual([16 / 50, 17 / 50, 17 / 50]);
    for (const { device, sent, received, ms } of found.ranks) {
      expect(device).toBe("CPU");
      expect(Math.min(sent, received, ms.compute)).toBeGreaterThan(0);
    }
  });

  it("has them on GPUs, too", async () => {
    const env = await gpuEnvironment();
    const [ranked, alone] = [folder.file("gpus.npy"), folder.file("cpu.npy")];
    const given = args("32x20", 20);
    const found = await resultOf<Result>([...given, "--device", "gpu", "--ranks", "2", "--out", ranked], env);
    const { measures } = await resultOf<Result>([...given, "--device", "cpu", "--out", alone]);
    expect(found.measures).toEqual(measures);
    expect(await readFile(ranked)).toEqual(await readFile(alone));
    for (const { device } of found.ranks) expect(device).not.toBe("CPU");
  });

  it.each(launchers)("computes on the ranks that $library has launched", async ({ program, options }) => {
    const given = args("64x50", 100, "--device", "cpu");
    const command = [...options, "-n", "3", process.execPath, "bin/crinkle.js", ...given];
    const { stdout } = await promisify(execFile)(program, command);
    const found = JSON.parse(stdout) as Result;
    expect(found.measures).toEqual((await resultOf<Result>(given)).measures);
    expect(found.ranks.length).toBe(3);
  });

  it("is right all the same where a rank is killed on the way", async () => {
    const given = args("128x128", 1000, "--device", "cpu");
    const run = await runWithKilledRank(given, 400);
    const found = JSON.parse(run.out) as Result;
    expect(found.ranks.map(({ share }) => share)).toEqual([1 / 2, 1 / 2]);
    expect(found.measures).toEqual((await resultOf<Result>(given)).measures);
  });

  it("writes the last state in pieces, a rank each", async () => {
    const [index, whole] = [folder.file("spins.pvti"), folder.file("spins.npy")];
    const given = args("32x20", 20, "--device", "cpu");
    await resultOf<Result>([...given, "--ranks", "2", "--out", index]);
    await resultOf<Result>([...given, "--out", whole]);
    expect(await readFile(index, "utf8")).toContain('<Piece Extent="0 31 10 19 0 0" Source="spins_1.vti"/>');
    const { bytes } = await readNpy(bytesSource(await readFile(whole), "spins.npy"));
    const piece = await readDataSet(bytesSource(await readFile(folder.file("spins_1.vti")), "s.vti"), noJob);
    expect(new Int8Array(bytes.buffer, bytes.byteOffset + 320, 320)).toEqual(piece.fields[0].data);
    const alone = await runCrinkle([...given, "--out", index]);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("spins.pvti” is unknown")]);
  });

  it("shares the runs of a variation", async () => {
    const given = args("8x8", 40, "--vary", "temperature=2:2.4:0.2", "--device", "cpu").filter(
      (_, k, all) => all[k] !== "--temperature" && all[k - 1] !== "--temperature",
    );
    const found = await resultOf<Varied>([...given, "--ranks", "2"]);
    expect(found.points).toEqual((await resultOf<Varied>(given)).points);
    expect(found.ranks.map(({ points }) => points)).toEqual([2, 1]);
  });

  it("says what is wrong with the lattice", async () => {
    const odd = await runCrinkle(args("8x5", 4, "--ranks", "2", "--device", "cpu"));
    expect([odd.code, odd.err]).toEqual([1, expect.stringContaining("odd length along axis 1")]);
  });
});
