import { describe, expect, it } from "vitest";
import { makeField } from "../../core/field.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { transformed } from "../../core/hypercube/testing/reference.ts";
import { noJob } from "../../core/job.ts";
import { readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import { dataSetOf, uniformGrid } from "../../lang/expression/execute/testing/data-sets.ts";
import { OwnEngine } from "./rank-engine.ts";
import { engineWith, onRanks, type Readers, testSource } from "./testing/on-ranks.ts";
import { type TransformRequest, transformJob } from "./transform-job.ts";

const lengths = [6, 4, 9];
const count = 6 * 4 * 9;
const numbers = Array.from({ length: count }, (_, k) => k + 1);
const grid = uniformGrid([6, 4, 9]);
const data = dataSetOf(grid, makeField(grid, "f", "node", 1, Float32Array.from(numbers)), {
  name: "wide",
  centering: "node",
  components: 1,
  dtype: "i64",
  data: BigInt64Array.from(numbers, BigInt),
});

const request = (text: string, more: Partial<TransformRequest> = {}): TransformRequest => ({
  source: testSource,
  text,
  field: null,
  blocks: null,
  index: null,
  holdsOne: false,
  ...more,
});

const onEngines = (ranks: number, given: TransformRequest, readers: Readers = "all") =>
  onRanks(ranks, (communicator) =>
    transformJob.run(
      { communicator, engine: engineWith(data, communicator.rank, readers), context: noJob },
      transformJob.parse(given),
    ),
  );

const expected = (text: string) =>
  parseTransform(text).reduce(transformed, { lengths, values: numbers }).values;

describe("a transform by ranks", () => {
  it.each([
    [3, "shift(z, 2) | crinkle(x, 2)", null],
    [4, "transpose(x, z) | pad(y, 1, 0)", [2, 2, 1]],
    [2, "tile(3, 2, 3)", null],
    [12, "flip(x, y, z)", null],
  ] as const)("makes on %i ranks by %s what loops make", async (ranks, text, blocks) => {
    const [made, ...others] = await onEngines(ranks, request(text, { blocks }), ranks === 3 ? "host" : "all");
    expect(others.every((other) => other === undefined)).toBe(true);
    expect(made?.fields.map(({ dtype }) => dtype)).toEqual(["f32", "i64"]);
    for (const field of made?.fields ?? []) expect([...field.data].map(Number)).toEqual(expected(text));
  });

  it("is written in pieces, which make one grid of the result's shape", async () => {
    const text = "transpose(y, z) | shift(z, 1)";
    const files = new Map<string, Chunks>();
    await onRanks(3, (communicator) => {
      const engine = new OwnEngine({
        openDevice: () => engineWith(data, communicator.rank).device(),
        read: (source, job) => engineWith(data, communicator.rank).read(source, job),
        write: async (path, chunks) => void files.set(path, chunks),
      });
      return transformJob.run(
        { communicator, engine, context: noJob },
        request(text, { index: "/out/r.pvti", field: "f" }),
      );
    });
    expect([...files.keys()].sort()).toEqual(["/out/r.pvti", "/out/r_0.vti", "/out/r_1.vti", "/out/r_2.vti"]);
    const layer = 6 * 9;
    for (const rank of [0, 1, 2]) {
      const piece = new Uint8Array(Buffer.concat(files.get(`/out/r_${rank}.vti`) ?? []));
      const { grid: own, fields } = await readDataSet(bytesSource(piece, "r.vti"), noJob);
      expect(own.dims).toEqual([6, 9, 2]);
      expect([...fields[0].data]).toEqual(expected(text).slice(rank * layer, (rank + 2) * layer));
    }
  });

  it("is refused where it does not fit the grid or the file", async () => {
    await expect(onEngines(2, request("crinkle(x, 4)"))).rejects.toThrow("needs a length that 4 divides");
    await expect(onEngines(2, request("flip(x)", { holdsOne: true }))).rejects.toThrow(
      "A .npy file holds one array, and there are f, wide. Choose one by --field: f, wide.",
    );
    expect(() => transformJob.parse({ ...request("flip(x)"), index: "r.vti" })).toThrow("pieces");
  });
});
