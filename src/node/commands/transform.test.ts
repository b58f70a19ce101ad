import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readNpy } from "../../data/npy/read-npy.ts";
import { bytesSource } from "../../data/source.ts";
import { writeNpyArray } from "../../data/write/npy.ts";
import { readArguments } from "../command-line/arguments.ts";
import { noTerminal } from "../command-line/command.ts";
import { type Info, TestFolder } from "../testing/cli-data.ts";
import { resultOf } from "../testing/run-crinkle.ts";
import { infoCommand } from "./info.ts";
import { transformCommand } from "./transform.ts";

const folder = new TestFolder();

/** The command in this process, on the CPU. */
async function transform(...args: readonly string[]) {
  const given = readArguments(
    [...args, "--device", "cpu"],
    transformCommand.positionals,
    transformCommand.options,
  );
  return (await transformCommand.run(given, noTerminal)) as { readonly from: string; readonly to: string };
}

const infoOf = async (name: string) =>
  (await infoCommand.run({ positionals: [folder.file(name)], options: {} }, noTerminal)) as unknown as Info;
const arrayIn = async (name: string) => readNpy(bytesSource(await readFile(folder.file(name)), name));

async function writeArray(
  name: string,
  description: string,
  lengths: readonly number[],
  values: ArrayBufferView,
) {
  const bytes = new Uint8Array(values.buffer as ArrayBuffer);
  await writeFile(folder.file(name), Buffer.concat(writeNpyArray(description, lengths, bytes)));
  return folder.file(name);
}

describe("crinkle transform", () => {
  it("rearranges an array of any number of axes, and prints the formula", async () => {
    const input = await writeArray(
      "in.npy",
      "<i2",
      [4, 3, 2, 1],
      Int16Array.from({ length: 24 }, (_, i) => i),
    );
    const text = "shift(x, -3) | crinkle(x, 2) | transpose(1, 2)";
    const args = ["transform", input, text, "--device", "cpu", "--out", folder.file("out.npy")];
    expect(await resultOf<object>(args)).toMatchObject({
      transform: text,
      from: "[1,2,3,4,int16]",
      to: "[1,3,2,4,int16]",
      formula: "out[x3, x2, x1, x0] = in[0, x1, x2, (2·(x0 mod 2) + ⌊x0 / 2⌋ − 1) mod 4]",
      isBijection: true,
      fields: [{ name: "values", components: 1 }],
      device: "cpu",
    });
    const { description, lengths, bytes } = await arrayIn("out.npy");
    expect([description, lengths]).toEqual(["<i2", [4, 2, 3, 1]]);
    // numpy: np.roll(a, -3, 3)[..., [0, 2, 1, 3]].transpose(0, 2, 1, 3).ravel()[:12]
    expect([...new Int16Array(bytes.buffer)].slice(0, 12)).toEqual([3, 1, 0, 2, 15, 13, 12, 14, 7, 5, 4, 6]);
  });

  it("makes the same file by two ranks, and says what each sent", async () => {
    const text = "shift(z, 2) | flip(y)";
    await transform(folder.ball, text, "--out", folder.file("one.vti"));
    const args = [
      "transform",
      folder.ball,
      text,
      "--ranks",
      "2",
      "--device",
      "cpu",
      "--out",
      folder.file("two.vti"),
    ];
    const { ranks, ...made } = await resultOf<{ readonly ranks: readonly { readonly sent: number }[] }>(args);
    expect(made).toMatchObject({ transform: text, formula: "out[z, y, x] = in[(z − 2) mod 17, 16 − y, x]" });
    expect(await readFile(folder.file("two.vti"))).toEqual(await readFile(folder.file("one.vti")));
    // Rank 0 has the whole in the end, so that it gets more than the half of 17³ values, and rank 1 none.
    expect(ranks[1].sent).toBeGreaterThan(4 * 9 * 17 ** 2);
    expect(ranks[0].sent).toBeLessThan(4 * 17 ** 2 * 8);
  });

  it("makes the same array by two ranks, of any number of axes and any type", async () => {
    const values = Float32Array.from({ length: 3 * 4 * 2 * 5 }, (_, i) => i);
    const input = await writeArray("four.npy", ">f4", [3, 4, 2, 5], values);
    const text = "shift(3, 2) | transpose(0, 1) | flip(1)";
    await transform(input, text, "--out", folder.file("one.npy"));
    const args = ["transform", input, text, "--ranks", "2", "--device", "cpu"];
    const made = await resultOf<object>([...args, "--out", folder.file("two.npy")]);
    expect(made).toMatchObject({
      from: "[5,2,4,3,float32]",
      to: "[5,2,3,4,float32]",
      formula: "out[x3, x2, x1, x0] = in[(x3 − 2) mod 5, x2, x0, 2 − x1]",
      fields: [{ name: "values", components: 1 }],
      ranks: [
        {
          block: [
            [0, 3],
            [0, 4],
            [0, 2],
            [0, 2],
          ],
          share: 0.4,
        },
        { share: 0.6 },
      ],
    });
    expect(await readFile(folder.file("two.npy"))).toEqual(await readFile(folder.file("one.npy")));
  });

  it("moves elements of 16 bytes, and of types that it has no arrays for", async () => {
    const words = BigUint64Array.from({ length: 6 }, (_, i) => BigInt(i));
    const { from } = await transform(
      await writeArray("c.npy", ">c16", [3], words),
      "flip(x)",
      "--out",
      folder.file("c-out.npy"),
    );
    expect(from).toBe("[3,complex128]");
    const { description, bytes } = await arrayIn("c-out.npy");
    expect([description, ...new BigUint64Array(bytes.buffer)]).toEqual([">c16", 4n, 5n, 2n, 3n, 0n, 1n]);
  });

  it("rearranges all fields of a grid, which takes its coordinates along", async () => {
    const text = "transpose(x, z) | crop(y, 1, 2) | pad(x, 2, 0)";
    const { from, to } = await transform(folder.ball, text, "--out", folder.file("moved.vti"));
    expect([from, to]).toEqual(["[17,17,17]", "[17,14,19]"]);
    const { grid, fields } = await infoOf("moved.vti");
    expect(grid).toEqual({
      kind: "uniform",
      dims: [19, 14, 17],
      origin: [-2.5, -1.75, -2],
      spacing: [0.25, 0.25, 0.25],
    });
    expect(fields.map(({ name, components, min }) => [name, components, min])).toEqual([
      ["distance", 1, 0],
      ["flow field", 3, 0],
    ]);
  });

  it("keeps the coordinates of a rectilinear grid with the axes that they belong to", async () => {
    await transform(
      folder.shear,
      "permute(z, x, y) | flip(x) | pad(y, 1, 0)",
      "--out",
      folder.file("moved.vtr"),
    );
    const { grid } = await infoOf("moved.vtr");
    expect(grid.dims).toEqual([5, 5, 3]);
    expect(grid.axes).toEqual([
      [5, 6, 6.5, 9, 10],
      [-1, 0, 1, 3, 4.5],
      [-1, 0, 2],
    ]);
  });

  it("writes a field as an array, and an array as a field", async () => {
    const options = ["--field", "flow field", "--out", folder.file("flow.npy")];
    await transform(folder.ball, "crop(x, 0, 13) | crop(y, 0, 14) | crop(z, 0, 15)", ...options);
    expect((await arrayIn("flow.npy")).lengths).toEqual([3, 4, 3, 2]);
    const input = await writeArray("plane.npy", "<f4", [3, 2], Float32Array.of(1, 2, 3, 4, 5, 6));
    await transform(input, "flip(x)", "--out", folder.file("plane.vti"));
    expect(await infoOf("plane.vti")).toMatchObject({
      grid: { kind: "uniform", dims: [3, 2, 1], origin: [0, 0, 0], spacing: [1, 1, 1] },
      fields: [{ name: "values", dtype: "f32", min: 1, max: 6 }],
    });
  });

  it.each([
    [
      "shift(x, 1) | shfit(y, 1)",
      "o.vti",
      "There is no transform “shfit” (line 1, column 15). Did you mean shift?",
    ],
    [
      "crinkle(x, 2)",
      "o.vti",
      "crinkle(0, 2) needs a length that 2 divides; axis 0 has 17 (line 1, column 1).",
    ],
    ["flip(x)", "o.npy", "A .npy file holds one array, and there are distance, flow field."],
    ["flip(x)", "o.stl", "o.stl” is unknown."],
    [
      "tile(17, 1, 1)",
      "o.vti",
      "The result [17,17,1,1,1,17] has 6 axes, and grids have three. Write it as .npy.",
    ],
  ])("refuses %s for %s", async (text, out, message) => {
    await expect(transform(folder.ball, text, "--out", folder.file(out))).rejects.toThrow(message);
  });

  it("refuses to run without a file to write, and for fields that there are not", async () => {
    await expect(transform(folder.ball, "flip(x)")).rejects.toThrow("The option --out is missing.");
    const options = ["--field", "heat", "--out", folder.file("o.vti")];
    await expect(transform(folder.ball, "flip(x)", ...options)).rejects.toThrow("There is no field “heat”.");
  });
});
