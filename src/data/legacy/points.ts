import { formatCount } from "../../core/format.ts";
import type { Centering } from "../../core/grid.ts";
import type { PointSet } from "../../core/point-set.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { isDeferred } from "../bytes/deferred.ts";
import { badFile, printable, tooShort } from "../failure.ts";
import { PointSetBuilder } from "../points.ts";
import { parseCount, readToken, readWords } from "../text/lines.ts";
import { type ArrayTarget, type LegacyAttributes, skipMetadata, unknownKeyword } from "./attributes.ts";
import { legacyType, readLegacyValues } from "./types.ts";

const cellKeywords = new Set(["VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS"]);

/** Reads what follows DATASET POLYDATA: points with their arrays. Cells and their arrays are left out with notes. */
export async function readLegacyPoints(
  cursor: ByteCursor,
  attributes: LegacyAttributes,
  ascii: boolean,
): Promise<PointSet> {
  const builder = new PointSetBuilder(cursor.source.name);
  let positions: Float64Array | undefined;
  let cells = 0;
  let centering: Centering | undefined;
  const counts = { node: () => (positions?.length ?? 0) / 3, cell: () => cells };
  const target: ArrayTarget = {
    count: (centering) => counts[centering](),
    describe: (centering) =>
      `the file has ${formatCount(counts[centering]())} ${centering === "node" ? "points" : "cells"}`,
    async add(name, centering, components, data) {
      if (centering === "cell") builder.note("Arrays of cells were left out.");
      else {
        const values = isDeferred(data) ? await data.read(0, data.length, cursor.yielder.job) : data;
        builder.add(name, components, values);
      }
    },
    note: (sentence) => builder.note(sentence),
  };
  for (;;) {
    const token = await readToken(cursor);
    if (token === undefined) break;
    const keyword = token.toUpperCase();
    if (keyword === "METADATA") await skipMetadata(cursor);
    else if (keyword === "POINTS" && !positions) positions = await readPoints(cursor, ascii);
    else if (cellKeywords.has(keyword)) {
      const count = await skipCells(cursor, keyword, ascii);
      cells += count;
      if (keyword !== "VERTICES" && count > 0)
        builder.note(`Only the points are read: ${formatCount(count)} ${keyword} were left out.`);
    } else if (keyword === "POINT_DATA" || keyword === "CELL_DATA") {
      centering = keyword === "POINT_DATA" ? "node" : "cell";
      await attributes.expectCount(keyword, centering, target);
    } else if (centering) {
      if (!(await attributes.accept(keyword, centering, target))) throw unknownKeyword(cursor, token);
    } else if (keyword === "FIELD") await attributes.readFieldArrays(undefined, undefined);
    else throw unknownKeyword(cursor, token);
  }
  if (!positions) throw tooShort(cursor, "it has no POINTS");
  return builder.build(positions);
}

async function readPoints(cursor: ByteCursor, ascii: boolean): Promise<Float64Array> {
  const place = cursor.place();
  const words = await readWords(cursor, 2, ascii);
  const count = parseCount(words[0]);
  const type = legacyType(words[1]);
  if (count === undefined || type === undefined || type === "string")
    throw badLine(cursor, place, "POINTS", words, "a count and a type are expected");
  const values = await readLegacyValues(cursor, type, 3 * count, ascii, "POINTS");
  return values instanceof Float64Array
    ? values
    : Float64Array.from(values as ArrayLike<number | bigint>, Number);
}

/** Skips cells and returns their number: lists after their lengths, or since version 5 offsets and corners. */
async function skipCells(cursor: ByteCursor, keyword: string, ascii: boolean): Promise<number> {
  const place = cursor.place();
  const words = await readWords(cursor, 2, ascii);
  const [first, second] = words.map(parseCount);
  if (first === undefined || second === undefined)
    throw badLine(cursor, place, keyword, words, "two counts are expected");
  if (!(await offsetsFollow(cursor, ascii))) {
    await readLegacyValues(cursor, "i32", second, ascii, keyword);
    return first;
  }
  for (const [part, count] of [
    ["OFFSETS", first],
    ["CONNECTIVITY", second],
  ] as const) {
    const partPlace = cursor.place();
    const found = await readToken(cursor);
    const [typeName] = await readWords(cursor, 1, ascii);
    const type = legacyType(typeName);
    if (found !== part || type === undefined || type === "string")
      throw badLine(cursor, partPlace, keyword, [found ?? "nothing"], `${part} and a type are expected`);
    await readLegacyValues(cursor, type, count, ascii, `${part} of ${keyword}`);
  }
  return Math.max(0, first - 1);
}

/** Whether the word OFFSETS is next; the cursor stays. */
async function offsetsFollow(cursor: ByteCursor, ascii: boolean): Promise<boolean> {
  if (!ascii) {
    await cursor.ensure(8);
    return String.fromCharCode(...cursor.window.subarray(cursor.at, cursor.at + 7)) === "OFFSETS";
  }
  const { position, line } = cursor;
  const word = await readToken(cursor);
  cursor.seek(position);
  cursor.line = line;
  return word === "OFFSETS";
}

function badLine(
  cursor: ByteCursor,
  place: string,
  keyword: string,
  words: readonly string[],
  expected: string,
): Error {
  const found = printable(words.join(" ").slice(0, 40));
  return badFile(cursor.source.name, place, `${keyword} is followed by “${found}”, where ${expected}.`);
}
