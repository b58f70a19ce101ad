import { expect, it } from "vitest";
import { writePairsCsv, writePairsNpy } from "./pairs.ts";

const neighbors = {
  starts: Uint32Array.of(0, 2, 2, 3),
  ids: Uint32Array.of(2, 1, 0),
  distances: Float64Array.of(0.5, 1.25, 0.5),
};

it("writes a line for each point and neighbour", () => {
  const text = writePairsCsv(neighbors).map((chunk) => new TextDecoder().decode(chunk));
  expect(text.join("")).toBe("point,neighbor,distance\n0,2,0.5\n0,1,1.25\n2,0,0.5\n");
});

it("writes all lines of many", () => {
  const n = 40_000;
  const ids = Uint32Array.from({ length: n }, (_, i) => i);
  const starts = Uint32Array.from({ length: n + 1 }, (_, i) => i);
  const chunks = writePairsCsv({ starts, ids, distances: new Float64Array(n) });
  const lines = chunks
    .map((chunk) => new TextDecoder().decode(chunk))
    .join("")
    .split("\n");
  expect([lines.length, lines[1], lines[n], lines[n + 1]]).toEqual([
    n + 2,
    "0,0,0",
    `${n - 1},${n - 1},0`,
    "",
  ]);
});

it("writes records that NumPy reads", () => {
  const [head, bytes] = writePairsNpy(neighbors);
  expect(head.length % 64).toBe(0);
  expect(new TextDecoder().decode(head.subarray(10))).toContain(
    "{'descr': [('point', '<u4'), ('neighbor', '<u4'), ('distance', '<f8')], 'fortran_order': False, 'shape': (3,), }",
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = [0, 1, 2].map((row) => [
    view.getUint32(16 * row, true),
    view.getUint32(16 * row + 4, true),
    view.getFloat64(16 * row + 8, true),
  ]);
  expect(rows).toEqual([
    [0, 2, 0.5],
    [0, 1, 1.25],
    [2, 0, 0.5],
  ]);
});
