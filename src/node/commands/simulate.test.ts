import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readNpy } from "../../data/npy/read-npy.ts";
import { bytesSource } from "../../data/source.ts";
import { readArguments } from "../command-line/arguments.ts";
import { noTerminal } from "../command-line/command.ts";
import { TestFolder } from "../testing/cli-data.ts";
import { simulateCommand } from "./simulate.ts";

const folder = new TestFolder();

/** The command in this process, on the CPU. */
async function simulate(...args: readonly string[]) {
  const given = readArguments(
    [...args, "--device", "cpu"],
    simulateCommand.positionals,
    simulateCommand.options,
  );
  return (await simulateCommand.run(given, noTerminal)) as Record<string, unknown>;
}

describe("crinkle simulate", () => {
  it("measures a model, and writes its last state", async () => {
    const out = folder.file("spins.npy");
    const args = ["ising", "--size", "64x4x2", "--sweeps", "200", "--seed", "7", "--out", out];
    const result = await simulate(...args);
    expect(Object.keys(result)).toEqual(["model", "size", "sweeps", "seed", "measures", "device", "ms"]);
    expect(result).toMatchObject({ model: "ising", size: "64x4x2", sweeps: 200, seed: 7, device: "cpu" });
    const { description, lengths, bytes } = await readNpy(bytesSource(await readFile(out), "spins.npy"));
    expect([description, lengths]).toEqual(["|i1", [64, 4, 2]]);
    expect(new Set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))).toEqual(new Set([1, -1]));
    const { measures } = await simulate(...args.slice(0, -2), "--temperature", "4.5");
    expect(measures).toEqual(result.measures);
    const structured = await simulate(...args.slice(0, -2), "--structure", "4");
    expect(structured.measures).toMatchObject({
      ...(measures as object),
      domainSize: { error: expect.any(Number) },
    });
    expect(structured.structureFactor).toMatchObject({
      wavenumbers: expect.any(Array),
      mean: expect.any(Array),
    });
    await simulate(...args.slice(0, -1), folder.file("spins.vti"), "--set", "temperature=3");
    expect(await readFile(folder.file("spins.vti"), "latin1")).toContain('WholeExtent="0 63 0 3 0 1"');
  });

  it("varies a parameter on several sizes", async () => {
    const args = ["ising", "--sizes", "4x4, 8x4", "--sweeps", "80", "--vary", "temperature=2:2.3:0.1"];
    const result = await simulate(...args);
    expect(Object.keys(result)).toEqual(["model", "sweeps", "seed", "parameter", "points", "device", "ms"]);
    const points = result.points as { size: string; value: number; measures: object }[];
    expect(points.map(({ size, value }) => `${size} ${value}`)).toEqual(
      ["4x4", "8x4"].flatMap((size) => [2, 2.1, 2.2, 2.3].map((value) => `${size} ${value}`)),
    );
    expect(Object.keys(points[7].measures)).toContain("binder");
  });

  it.each([
    [
      ["ising", "--size", "4x4", "--sweeps", "1", "--vary", "temperature=2:3:-1"],
      "The option --vary is “temperature=2:3:-1”. Write it as in temperature=2:2.6:0.1.",
    ],
    [
      ["ising", "--size", "4x4", "--sweeps", "1", "--vary", "temperature=2:3", "--out", "a.npy"],
      "The option --out cannot be used with --vary.",
    ],
    [["ising", "--sizes", "4x4,8x8", "--sweeps", "1"], "The option --sizes needs --vary."],
    [["isinf"], "There is no model “isinf”. Did you mean ising?"],
    [["ising"], "The option --size is missing."],
    [["ising", "--size", "64x", "--sweeps", "1"], "The option --size is “64x”. Write lengths as in 256x256."],
    [["ising", "--size", "4x3", "--sweeps", "1"], "The lattice [3,4] has an odd length along axis 1"],
    [
      ["ising", "--size", "4x4", "--sweeps", "1", "--set", "temperature"],
      "The option --set has “temperature”.",
    ],
    [
      ["ising", "--size", "4x4", "--sweeps", "1", "--set", "heat=1"],
      "There is no parameter of ising “heat”.",
    ],
    [["ising", "--size", "2x2x2x2", "--sweeps", "1", "--out", "a.vti"], "The format of “a.vti” is unknown."],
  ])("refuses %j", async (args, message) => {
    await expect(simulate(...args)).rejects.toThrow(message);
  });
});
