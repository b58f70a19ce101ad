import { dtypeOf, type TypedArray } from "../core/dtype.ts";
import { bytesOf } from "../data/bytes/allocate.ts";
import { npyDescription, writeNpyArray } from "../data/write/npy.ts";
import { extensionOf, writeChunks, writeDataSet } from "./write-file.ts";

/** What a lattice's values can be written to. */
export const siteExtensions = (lengths: readonly number[]): readonly string[] =>
  lengths.length > 3 ? [".npy"] : [".npy", ".vti"];

/** Writes the values of a lattice's sites, the fastest axis first. Throws Usage, BadArgument. */
export async function writeSites(path: string, lengths: readonly number[], sites: TypedArray): Promise<void> {
  const dtype = dtypeOf(sites);
  if (extensionOf(path, siteExtensions(lengths)) === ".npy") {
    const bytes = bytesOf(sites) as Uint8Array<ArrayBuffer>;
    await writeChunks(path, writeNpyArray(npyDescription(dtype), lengths, bytes));
    return;
  }
  const [nx, ny = 1, nz = 1] = lengths;
  const grid = { kind: "uniform", dims: [nx, ny, nz], origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
  await writeDataSet(path, grid, [
    { name: "values", centering: "node", components: sites.length / (nx * ny * nz), dtype, data: sites },
  ]);
}
