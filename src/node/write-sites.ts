import { dtypeOf } from "../core/dtype.ts";
import { bytesOf } from "../data/bytes/allocate.ts";
import { npyDescription, writeNpyArray } from "../data/write/npy.ts";
import type { LatticeFieldValues } from "../embed/lattice-api.ts";
import { extensionOf, writeChunks, writeDataSet } from "./write-file.ts";

/** What a lattice's values can be written to. */
export const siteExtensions = (lengths: readonly number[]): readonly string[] =>
  lengths.length > 3 ? [".npy"] : [".npy", ".vti"];

/** The index files that ranks write pieces of the same for. */
export const sitePieces = (lengths: readonly number[]): readonly string[] =>
  lengths.length > 3 ? [] : [".pvti"];

/**
 * Writes fields of a lattice's sites, the fastest axis first: all of them to a `.vti` file, the first to a `.npy` file, with its components
 * as the last axis where it has several. Throws Usage, BadArgument.
 */
export async function writeSites(
  path: string,
  lengths: readonly number[],
  fields: Readonly<Record<string, LatticeFieldValues>>,
): Promise<void> {
  if (extensionOf(path, siteExtensions(lengths)) === ".npy") {
    const [{ components, values }] = Object.values(fields);
    const bytes = bytesOf(values) as Uint8Array<ArrayBuffer>;
    const axes = components === 1 ? lengths : [components, ...lengths];
    await writeChunks(path, writeNpyArray(npyDescription(dtypeOf(values)), axes, bytes));
    return;
  }
  const [nx, ny = 1, nz = 1] = lengths;
  const grid = { kind: "uniform", dims: [nx, ny, nz], origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
  await writeDataSet(
    path,
    grid,
    Object.entries(fields).map(([name, { components, values }]) => ({
      name,
      centering: "node",
      components,
      dtype: dtypeOf(values),
      data: values,
    })),
  );
}
