import { expect, it } from "vitest";
import type { Condition } from "../../core/hypercube/index-map.ts";
import { valueAt } from "../../core/hypercube/linear-values.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { rearrangementCases } from "../../core/hypercube/testing/rearrangements.ts";
import { counted, transformed } from "../../core/hypercube/testing/reference.ts";
import { groupLoads } from "./group-loads.ts";
import { type Tile, tileCount, tileOf, tileSize } from "./tile.ts";
import { tileIndex } from "./tile-index.ts";

const tile = (lengths: readonly number[], text: string, bytes: 4 | 8 | 16 = 4) =>
  tileOf(mapOf(lengths, parseTransform(text)), bytes);

/** Elements along the source's and the result's neighbours, and neighbours that move at once. */
function summary(found: Tile | undefined) {
  if (!found) return undefined;
  const { digits, extents, widths } = found;
  return { digits: digits.map(({ radix }, k) => `${extents[k]}/${radix}`).join(" "), ...widths };
}

it("cuts results across the direction along which the source's neighbours lie", () => {
  const square = { digits: "4/4 8/1024 4/4 8/1024", source: 4, result: 4 };
  expect(summary(tile([4096, 4096], "transpose(x, y)"))).toEqual(square);
  expect(summary(tile([4096, 4096], "transpose(x, y) | shift(x, 5) | flip(y)"))).toEqual(square);
  expect(summary(tile([256, 256], "transpose(x, y)"))?.digits).toBe("4/4 8/64 4/4 8/64");
  expect(summary(tile([4096, 4096], "transpose(x, y)", 16))).toMatchObject({ source: 1, result: 1 });
  expect(summary(tile([4096, 512], "crinkle(x, 2)"))).toEqual({
    digits: "2/2 2/2 128/512 2/2 1/512",
    source: 4,
    result: 4,
  });
  expect(summary(tile([3, 5000], "transpose(x, y)"))).toMatchObject({ source: 1, result: 4 });
  expect(summary(tile([100, 600], "transpose(x, y)"))?.digits).toBe("4/4 8/150 4/4 7/25");
});

it("leaves what is read in order, or from nearby, as it is", () => {
  const texts = [
    "flip(x)",
    "shift(x, 3) | flip(y)",
    "crinkle(y, 2)",
    "tile(8, 8)",
    "pad(x, 1, 1)",
    "crinkle(x, 2) | shift(x, 1) | crinkle(x, 32)",
  ];
  expect(texts.map((text) => tile([64, 64], text))).toEqual(texts.map(() => undefined));
  expect(tile([8, 8], "transpose(x, y)")).toBeUndefined();
  expect(tile([1, 64], "transpose(x, y)")).toBeUndefined();
});

const isInside = (conditions: readonly Condition[], at: readonly number[]): boolean =>
  conditions.every(({ of, first, end }) => valueAt(of, at) >= first && valueAt(of, at) < end);

/** What a map makes through tiles, by the same indices and loads as in the shader. */
function throughTiles(lengths: readonly number[], text: string, found: Tile): number[] {
  const map = mapOf(lengths, parseTransform(text));
  const source = counted(lengths).values;
  const { sources, place, steps, result, inside } = tileIndex(map, found);
  const { width, loads, parts } = groupLoads(
    sources,
    countOf(map.from) % sources.length === 0,
    inside.source,
  );
  const { widths } = found;
  const made = new Array<number>(countOf(map.to)).fill(Number.NaN);
  for (let number = 0; number < tileCount(found); number++) {
    const memory: number[] = [];
    for (let u = 0; u < tileSize(found) / widths.source; u++) {
      const at = [u, number];
      const loaded = loads.map(({ index, conditions }) =>
        Array.from({ length: width }, (_, j) =>
          isInside(conditions, at) ? source[width * valueAt(index, at) + j] : 0,
        ),
      );
      for (const [k, { load, element }] of parts.entries())
        memory[valueAt(place, at) + steps[k]] = loaded[load][element];
    }
    for (let u = 0; u < tileSize(found) / widths.result; u++) {
      const at = [u, number];
      for (let j = 0; j < widths.result && isInside(inside.result, at); j++)
        made[valueAt(result, at) + j] = memory[widths.result * u + j];
    }
  }
  return made;
}

it("moves every element once, to where plain loops move it", () => {
  const more = [
    { lengths: [32, 36], text: "transpose(x, y)" },
    { lengths: [52, 28], text: "transpose(x, y) | shift(x, 3)" },
    { lengths: [32, 32], text: "morton()" },
    { lengths: [16, 8, 8], text: "morton() | shift(0, 1)" },
    { lengths: [600, 2], text: "shift(x, 3) | crinkle(x, 2)" },
    { lengths: [630, 2], text: "crinkle(x, 3)" },
    { lengths: [20, 30], text: "transpose(x, y) | pshift(y, 2)" },
  ];
  let count = 0;
  for (const { lengths, text } of [...rearrangementCases(), ...more]) {
    const operations = parseTransform(text);
    const found = tile(lengths, text);
    if (!found) continue;
    count++;
    const expected = operations.reduce(transformed, counted(lengths)).values;
    expect(throughTiles(lengths, text, found), `${text} of [${lengths}]`).toEqual(expected);
  }
  expect(count).toBeGreaterThan(11);
});
