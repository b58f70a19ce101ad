import { execFile, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { costOverDevices, type RunCost, zeroCost } from "../../core/run-cost.ts";
import type { RankReport } from "../../embed/ranks.ts";
import { type Launcher, launchers } from "../mpi/testing/launchers.ts";
import { devices, type Evaluated, type Surface, TestFolder } from "../testing/cli-data.ts";
import { runWithKilledRank } from "../testing/killed-rank.ts";
import { RankProcess } from "../testing/rank-process.ts";
import { stlVolume } from "../testing/read-stl.ts";
import { resultOf, runCrinkle, sharedPath } from "../testing/run-crinkle.ts";

const folder = new TestFolder();

interface RunResult extends Evaluated, RunCost {
  readonly data: string;
  readonly ranks: readonly RankReport[];
  readonly operations: readonly { readonly name: string; readonly messages: number }[];
}

interface SurfaceResult extends RunResult {
  readonly isosurface: Surface;
}

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
}

const isSweep = process.env.CRINKLE_SWEEP === "1";

/** Takes half a second, and reads as far as the grid reaches. */
const slow = `${"median_filter(".repeat(30)}distance${")".repeat(30)}`;

/** What a run prints of which a rank is killed on the way. */
async function killedAfter(args: readonly string[], ms: number): Promise<RunResult & Partial<SurfaceResult>> {
  const { out } = await runWithKilledRank(["run", folder.ball, ...args, "--device", "cpu"], ms);
  return JSON.parse(out);
}

const contour = ['q = q_criterion("flow field" * distance)', "--isosurface", "q=-4", "--color-by", slow];

/** Jobs that spend almost all of their time, half a second, on what they are named for. */
const longJobs: Readonly<Record<string, readonly string[]>> = {
  "Q-criterion": [`q = q_criterion("flow field" * ${slow})`],
  isosurface: contour,
  "isosurface in the distributed form": [...contour, "--form", "distributed"],
};
/** Those, and the shares of their time after which a rank is killed. */
const kills: readonly (readonly [name: string, share: number])[] = isSweep
  ? Object.keys(longJobs).flatMap((name) =>
      [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95].map((share) => [name, share] as const),
    )
  : [
      ["Q-criterion", 0.4],
      ["isosurface", 0.5],
    ];

/** What ranks print that a launcher starts. */
async function launchedResult({ program, options }: Launcher, ranks: number, args: readonly string[]) {
  const all = [...options, "-n", String(ranks), process.execPath, "bin/crinkle.js", ...args];
  const { stdout } = await promisify(execFile)(program, all);
  return JSON.parse(stdout) as SurfaceResult;
}

describe("crinkle run", () => {
  it.each(devices)("gives eval's numbers by three ranks on the %s", async (device, env) => {
    const text = 'q = q_criterion("flow field") + avg(distance)';
    const args = [folder.ball, text, "--device", device];
    const [ranked, alone] = [
      await resultOf<RunResult>(["run", ...args, "--ranks", "3"], env),
      await resultOf<Evaluated & RunCost>(["eval", ...args], env),
    ];
    for (const name of ["min", "max", "mean"] as const) expect(ranked[name]).toBeCloseTo(alone[name], 5);
    const { field, components, centering, nan, infinite } = alone;
    expect(ranked).toMatchObject({ field, components, centering, nan, infinite, data: "read by each rank" });
    expect(ranked.ranks.map(({ block }) => block[2])).toEqual([
      [0, 5],
      [5, 10],
      [10, 16],
    ]);
    expect(ranked.ranks.map(({ share }) => share)).toEqual([5 / 17, 5 / 17, 7 / 17]);
    const { kernels, uploadedBytes, downloadedBytes, peakBytes } = ranked;
    expect(ranked).toMatchObject(costOverDevices(ranked.ranks));
    if (device === "cpu") return expect(ranked).toMatchObject(zeroCost);
    // Each rank runs the same kernels on its nodes and some around them, and gets back its own nodes.
    expect(kernels).toBe(3 * alone.kernels);
    expect(uploadedBytes).toBeGreaterThan(4 * 3 * 17 ** 3);
    expect(downloadedBytes).toBeGreaterThanOrEqual(4 * 17 ** 3);
    expect(peakBytes).toBeGreaterThan(uploadedBytes);
  });

  it("prints all results of a text, which one job computes, and writes those that are fields into one file", async () => {
    const text =
      'w = curl("flow field"); s = distance * 2; m = avg(s); c = cell_volume(mesh); "d 2" = s + w[0]';
    const file = folder.file("results.vti");
    const { results, ranks, operations } = await resultOf<RunResult & { results: readonly Evaluated[] }>([
      ...["run", folder.ball, text, "--ranks", "2", "--device", "cpu", "--out", file],
    ]);
    expect(results).toMatchObject([
      { number: "m", value: expect.closeTo(4, 0) },
      { field: "c", centering: "cell" },
      { field: "d 2", min: 0 },
    ]);
    expect(ranks.length).toBe(2);
    // What both know of the data, the mean, and the statistics of both fields.
    expect(operations.find(({ name }) => name === "allgather")?.messages).toBe(3 * 2);
    const names = [...readFileSync(file, "latin1").matchAll(/ Name="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual(["d 2", "c"]);
  });

  it("says what each operation cost, and writes a trace that Perfetto opens", async () => {
    const file = folder.file("trace.json");
    const args = ["run", folder.ball, "q = distance + avg(distance)", "--ranks", "3", "--device", "cpu"];
    const { ranks, operations } = await resultOf<RunResult>([
      ...args,
      "--isosurface",
      "q=0.5",
      "--trace",
      file,
    ]);
    for (const { sent, received, messages, ms } of ranks) {
      expect([sent, received, messages].every((count) => count > 0)).toBe(true);
      expect(Object.keys(ms)).toEqual(["read", "compute", "pack", "send", "wait"]);
      expect(ms.compute).toBeGreaterThan(0);
    }
    // Each of two jobs gathers what all ranks know of the data, and numbers for the mean and the statistics.
    const allgather = operations.find(({ name }) => name === "allgather");
    expect(allgather?.messages).toBe(2 * 3 * 3 * 2);
    const { traceEvents } = JSON.parse(readFileSync(file, "utf8")) as { traceEvents: TraceEvent[] };
    const spans = traceEvents.filter(({ ph }) => ph === "X");
    expect(Math.min(...spans.map(({ ts }) => ts))).toBe(0);
    for (const rank of [0, 1, 2]) {
      const own = spans.filter(({ tid }) => tid === rank);
      expect(new Set(own.map(({ name }) => name))).toContain("isosurface");
      for (const [i, { ts, dur }] of own.entries()) {
        expect(dur).toBeGreaterThanOrEqual(0);
        if (i > 0) expect(ts).toBeGreaterThan(own[i - 1].ts + own[i - 1].dur - 1e-3);
      }
    }
  });

  it("has each rank read its own planes of bare numbers that the options describe", async () => {
    const [file, points] = [folder.file("numbers.raw"), 8 * 8 * 24];
    const numbers = new DataView(new ArrayBuffer(5 + 8 * points));
    for (let i = 0; i < points; i++) numbers.setFloat64(5 + 8 * i, i / 7);
    await writeFile(file, numbers);
    const described = ["--dims", "8x8x24", "--dtype", "f64", "--order", "big", "--skip", "5"];
    const args = [file, "s = 2 * values", "--device", "cpu", "--spacing", "1,1,3", ...described];
    const [ranked, alone] = [
      await resultOf<RunResult>(["run", ...args, "--ranks", "3"]),
      await resultOf<Evaluated>(["eval", ...args]),
    ];
    expect([ranked.min, ranked.max]).toEqual([alone.min, alone.max]);
    expect(alone.max).toBeCloseTo((2 * (points - 1)) / 7, 3);
    expect(ranked.data).toBe("read by each rank");
    for (const { bytesRead } of ranked.ranks) expect(bytesRead).toBeLessThan(numbers.byteLength / 2);
  });

  it.each([
    ["that it starts", undefined],
    ...launchers.map((launcher) => [`that ${launcher.library} has launched`, launcher] as const),
  ] as const)("gives one rank's numbers of the tour by three ranks %s", async (_, launcher) => {
    const file = sharedPath("carotid.vtk");
    if (!file) return;
    const color = ["--color-by", "magnitude(vectors)", "--device", "cpu"];
    const out = folder.file("q.stl");
    const args = ["run", file, "q = q_criterion(vectors)", "--isosurface", "q=0.5", "--out", out, ...color];
    const ranked = launcher
      ? await launchedResult(launcher, 3, args)
      : await resultOf<SurfaceResult>([...args, "--ranks", "3"]);
    const [values, surface] = [
      await resultOf<Evaluated>(["eval", file, "q = q_criterion(vectors)", "--device", "cpu"]),
      await resultOf<Surface>([
        "isosurface",
        file,
        "--expr",
        "q_criterion(vectors)",
        "--value",
        "0.5",
        ...color,
      ]),
    ];
    expect([ranked.min, ranked.max]).toEqual([values.min, values.max]);
    expect(ranked.mean).toBeCloseTo(values.mean, 12);
    // vtkFlyingEdges3D of VTK 9.1 on VTK's own Q-criterion.
    expect(surface.triangles).toBe(7820);
    const { triangles, vertices, bounds } = surface;
    expect(ranked.isosurface).toMatchObject({ of: "q", triangles, vertices, bounds });
    expect(ranked.isosurface.area).toBeCloseTo(surface.area, 5);
    expect(statSync(out).size).toBe(84 + 50 * triangles);
    expect(ranked.ranks.map(({ rank }) => rank)).toEqual([0, 1, 2]);
  });

  it.each(devices)(
    "makes the isosurface that one rank makes, on the %s, and writes it",
    async (device, env) => {
      const text = '"flow field"[0] + 0.1 * distance';
      const color = ["--color-by", "distance"];
      // Each rank's GPU compiles for itself.
      const count = device === "gpu" ? 2 : 3;
      const blocks = `1x${count}x1`;
      const ranked = await resultOf<SurfaceResult>(
        [
          ...["run", folder.ball, `s = ${text}; t = s * 2`, "--ranks", `${count}`, "--device", device],
          ...["--isosurface", "s=0.3", ...color, "--out", folder.file("ranks.stl"), "--blocks", blocks],
        ],
        env,
      );
      const alone = await resultOf<Surface>(
        [...["isosurface", folder.ball, "--expr", text, "--value", "0.3", ...color], ...["--device", device]],
        env,
      );
      const { of, ...size } = ranked.isosurface as Surface & { readonly of: string };
      const { triangles, vertices, bounds } = alone;
      expect(triangles).toBeGreaterThan(300);
      expect({ of, ...size }).toMatchObject({ of: "s", triangles, vertices, bounds });
      expect(size.area).toBeCloseTo(alone.area, 5);
      const cuts = count === 2 ? [0, 8, 16] : [0, 5, 10, 16];
      expect(ranked.ranks.map(({ block }) => block[1])).toEqual(
        cuts.slice(1).map((end, rank) => [cuts[rank], end]),
      );
      expect(statSync(folder.file("ranks.stl")).size).toBe(84 + 50 * triangles);
    },
  );

  it("makes surfaces of all kinds that one rank makes, in one form or the other", async () => {
    const clip = ["--clip", "0,0,0,1,2,3"];
    const cpu = ["--device", "cpu"];
    const contour = (value: string) => ["isosurface", "--field", "distance", "--value", value];
    const kinds: readonly [kind: string, asked: readonly string[], ...alone: readonly string[][]][] = [
      ["isosurface", ["s=3,5"], contour("1.5"), contour("2.5")],
      ["threshold", ["s=1,4", ...clip], ["threshold", "--field", "distance", "--range", "0.5,2", ...clip]],
      ["cut", ["0,0,0,3,2,1"], ["cut", "--plane", "0,0,0,3,2,1"]],
      ["cut", ["0,0,0,1.2", ...clip], ["cut", "--sphere", "0,0,0,1.2", ...clip]],
      ["slice", ["z=0.1", "--color-by", "s"], ["slice", "--axis", "z", "--position", "0.1"]],
    ];
    for (const [i, [kind, asked, ...alone]] of kinds.entries()) {
      const expected = { triangles: 0, vertices: 0, area: 0 };
      for (const [command, ...args] of alone) {
        const surface = await resultOf<Surface>([command, folder.ball, ...args, ...cpu]);
        expected.triangles += surface.triangles;
        expected.vertices += surface.vertices;
        expected.area += surface.area;
      }
      // Each kind is made in both forms by the jobs' own tests, without processes.
      const form = i % 2 === 0 ? "manual" : "distributed";
      const statement = ["s = distance * 2", "--ranks", "2", "--form", form];
      const ranked = await resultOf<RunResult & Readonly<Record<string, Surface>>>([
        ...["run", folder.ball, ...statement, `--${kind}`, ...asked, ...cpu],
      ]);
      const { triangles, vertices, area } = ranked[kind] as Surface;
      expect(triangles, kind).toBeGreaterThan(50);
      expect([triangles, vertices], `${kind}, ${form}`).toEqual([expected.triangles, expected.vertices]);
      expect(area, `${kind}, ${form}`).toBeCloseTo(expected.area, 5);
      expect(ranked.ranks.length).toBe(2);
    }
  });

  it("writes surfaces that face lower values, or higher ones", async () => {
    const args = ["run", folder.ball, "2 - distance", "--isosurface", "0.5", "--device", "cpu", "--out"];
    const ball = (4 / 3) * Math.PI * 1.5 ** 3;
    const stl = folder.file("solid.stl");
    await resultOf([...args, stl]);
    expect(Math.abs(stlVolume(stl) / ball - 1)).toBeLessThan(0.02);
    await resultOf([...args, stl, "--reverse-facets"]);
    expect(Math.abs(stlVolume(stl) / -ball - 1)).toBeLessThan(0.02);
  });

  it.each(kills)(
    "is right all the same where a rank is killed: %s, after %d of the time",
    async (name, share) => {
      const args = longJobs[name];
      const alone = await resultOf<RunResult & Partial<SurfaceResult>>([
        ...["run", folder.ball, ...args, "--ranks", "1", "--device", "cpu"],
      ]);
      const result = await killedAfter(args, share * alone.ms);
      expect([result.min, result.max]).toEqual([alone.min, alone.max]);
      expect(result.mean).toBeCloseTo(alone.mean, 12);
      expect(result.ranks.length).toBe(2);
      if (!alone.isosurface) return;
      const { triangles, vertices, area, bounds } = alone.isosurface;
      expect(triangles).toBeGreaterThan(300);
      expect(result.isosurface).toMatchObject({ triangles, vertices, bounds });
      expect(result.isosurface?.area).toBeCloseTo(area, 5);
    },
  );

  it("is right all the same where a rank is killed before it has begun", async () => {
    const alone = await resultOf<Evaluated>(["eval", folder.ball, slow, "--device", "cpu"]);
    const result = await killedAfter([slow], 0);
    expect([result.min, result.max]).toEqual([alone.min, alone.max]);
    expect(result.mean).toBeCloseTo(alone.mean, 12);
    expect(result.ranks.length).toBe(2);
  });

  it.each(launchers)("computes on the ranks that $library has launched", async ({ program, options }) => {
    const text = ["s = distance * 2", "--isosurface", "s=3", "--device", "cpu"];
    const args = [...options, "-n", "3", process.execPath, "bin/crinkle.js", "run", folder.ball, ...text];
    const { stdout, stderr } = await promisify(execFile)(program, args);
    const ranked = JSON.parse(stdout) as SurfaceResult;
    const alone = await resultOf<SurfaceResult>([...["run", folder.ball, ...text, "--ranks", "3"]]);
    expect(stderr).toContain("3 ranks compute over");
    for (const name of ["min", "max", "mean", "isosurface"] as const)
      expect(ranked[name]).toEqual(alone[name]);
    expect(ranked.ranks.map(({ block }) => block)).toEqual(alone.ranks.map(({ block }) => block));
  });

  it.each([
    ["ranks that it starts", undefined],
    ...launchers
      .slice(0, 1)
      .map((launcher) => [`ranks that ${launcher.library} has launched`, launcher] as const),
  ] as const)("writes pieces and gathered files by %s", async (_, launcher) => {
    const into = folder.file(launcher?.library ?? "started");
    await mkdir(into);
    const run = async (out: string, ...more: string[]) => {
      const args = [
        "run",
        folder.ball,
        "s = 2 * distance",
        "--device",
        "cpu",
        "--out",
        join(into, out),
        ...more,
      ];
      if (!launcher) return runCrinkle([...args, "--ranks", "2"]).then(({ out }) => JSON.parse(out));
      const all = [...launcher.options, "-n", "2", process.execPath, "bin/crinkle.js", ...args];
      return JSON.parse((await promisify(execFile)(launcher.program, all)).stdout);
    };
    const gathered = await run("whole.stl", "--isosurface", "s=3");
    const pieces = await run("q.pvtp", "--isosurface", "s=3");
    for (const name of ["of", "triangles", "bounds"]) {
      expect(pieces.isosurface[name]).toEqual(gathered.isosurface[name]);
    }
    const found = await run("f.pvti", "--blocks", "2x1x1");
    expect(found.ranks.map(({ block }: RankReport) => block[0])).toEqual([
      [0, 8],
      [8, 16],
    ]);
    expect(readFileSync(join(into, "f.pvti"), "utf8")).toContain('<Piece Extent="8 16 0 16 0 16"');
    await run("f.npy", "--blocks", "2x1x1");
    await runCrinkle([
      "eval",
      folder.ball,
      "s = 2 * distance",
      "--device",
      "cpu",
      "--out",
      folder.file("s.npy"),
    ]);
    expect(readFileSync(join(into, "f.npy"))).toEqual(readFileSync(folder.file("s.npy")));
    const files = ["f.npy", "f.pvti", "f_0.vti", "f_1.vti", "q.pvtp", "q_0.vtp", "q_1.vtp", "whole.stl"];
    expect(readdirSync(into).toSorted()).toEqual(files);
  });

  it("says what is wrong with the text, the file or the number of ranks", async () => {
    const text = await runCrinkle(["run", folder.ball, "curl(", "--ranks", "2", "--device", "cpu"]);
    expect(text.code).toBe(1);
    expect(text.err).toContain("expected");
    const file = await runCrinkle(["run", "/nowhere.vti", "a", "--ranks", "1", "--device", "cpu"]);
    expect(file.code).toBe(1);
    expect(file.err).toContain("nowhere.vti");
    const ranks = await runCrinkle(["run", folder.ball, "distance", "--ranks", "1.5"]);
    expect([ranks.code, ranks.err]).toEqual([2, expect.stringContaining("--ranks is 1.5")]);
    for (const [options, problem] of [
      ["--isosurface 1 --slice x=1", "Both --isosurface and --slice"],
      ["--cut 1,2,3", "neither 6 numbers of a plane nor 4"],
      ["--slice 3", "--slice is “3”"],
      ["--threshold 3,1", "from 3 to 1"],
      ["--clip 0,0,0,1,0,0", "--clip is for a surface"],
      ["--isosurface 1 --form other", "manual, distributed"],
      ["--cut 0,0,0,1 --topology trilinear", "--topology is for an isosurface"],
      ["--blocks 2x2", "--blocks is 2x2"],
    ]) {
      const { code, err } = await runCrinkle(["run", folder.ball, "distance", ...options.split(" ")]);
      expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
    }
    const blocks = await runCrinkle([
      "run",
      folder.ball,
      "distance",
      ...["--ranks", "3", "--device", "cpu", "--blocks", "2x2x1"],
    ]);
    const sentence = "The blocks 2x2x1 are not one for each of 3 ranks";
    expect([blocks.code, blocks.err]).toEqual([1, expect.stringContaining(sentence)]);
    const page = "https://example.org/#room=AAAAAAAAAAAAAAAAAAAAAA";
    for (const [options, problem] of [
      ["", "EXPRESSION is missing"],
      [`distance --room ${page}`, "An expression is given together with --room"],
      [`--slice z=1 --room ${page}`, "--slice is given together with --room"],
      [`--room ${page.replace("https", "tcp")}`, "a room without a page"],
    ]) {
      const { code, err } = await runCrinkle(["run", folder.ball, ...options.split(" ").filter(Boolean)]);
      expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
    }
    const nowhere = await runCrinkle(["run", "/nowhere.vti", "--room", page, "--ranks", "1"]);
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining("nowhere.vti")]);
  });

  it.runIf(existsSync("/proc/self/fd"))("says first that no other rank can read the file", () => {
    // The other rank finds something else at the number of the file that this one has been given.
    const opened = openSync(folder.ball, "r");
    const args = ["run", "/proc/self/fd/3", "s = distance", "--isosurface", "s=1", "--device", "cpu"];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["bin/crinkle.js", ...args, "--ranks", "2"],
      { stdio: ["ignore", "pipe", "pipe", opened], encoding: "utf8" },
    );
    closeSync(opened);
    expect(status, stderr).toBe(0);
    expect((JSON.parse(stdout) as RunResult).data).toBe("sent by the host");
    const lines = stderr.split("\n").filter((line) => line.startsWith("Only"));
    expect(lines).toEqual(["Only rank 0 can read ball.vti; if it is lost, the job cannot be repeated."]);
  });

  it("leaves no rank behind where it is killed itself", async () => {
    const run = new RankProcess(["run", folder.ball, slow, "--ranks", "3", "--device", "cpu"]);
    try {
      await run.hears(/3 ranks compute/, 60_000);
    } finally {
      run.signal("SIGKILL");
    }
    const pids = [...run.err.matchAll(/is process (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.length).toBe(2);
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
