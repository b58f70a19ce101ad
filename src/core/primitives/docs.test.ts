import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Primitives } from "./primitives.ts";

/** Every method: the compiler misses one that is left out, and refuses one that is not there. */
const methods: Readonly<Record<Exclude<keyof Primitives, "name">, true>> = {
  fromHost: true,
  toHost: true,
  front: true,
  back: true,
  view: true,
  counting: true,
  constant: true,
  reversed: true,
  permuted: true,
  fill: true,
  sequence: true,
  generate: true,
  copy: true,
  reverse: true,
  transform: true,
  zip: true,
  forEach: true,
  reduce: true,
  transformReduce: true,
  innerProduct: true,
  reduceEach: true,
  minmax: true,
  argmin: true,
  argmax: true,
  count: true,
  countIf: true,
  all: true,
  any: true,
  none: true,
  histogramEven: true,
  histogramRange: true,
  countEach: true,
  inclusiveScan: true,
  exclusiveScan: true,
  inclusiveScanByKey: true,
  exclusiveScanByKey: true,
  reduceByKey: true,
  runLengthEncode: true,
  uniqueByKey: true,
  copyIf: true,
  removeIf: true,
  partition: true,
  unique: true,
  segmentedSplit: true,
  gather: true,
  scatter: true,
  gatherIf: true,
  scatterIf: true,
  lowerBound: true,
  upperBound: true,
  upperBoundCounting: true,
  merge: true,
  setUnion: true,
  setIntersection: true,
  setDifference: true,
  sort: true,
  sortByKey: true,
  segmentedSort: true,
  argsort: true,
  rank: true,
};

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Rows of the tables of methods: cells without the first row's titles. */
function documented(): string[][] {
  const [, between] = read("../../../docs/primitives.md").split(/<!-- methods: \w+ -->/);
  return between
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** The parameters of a method in the interface's source, by name: "vector, operator, init?". */
function parametersOf(method: string, source: string): string | undefined {
  const list = new RegExp(`^  ${method}(?:<[^(]*>)?\\(([^)]*)\\): `, "m").exec(source)?.[1];
  return list && [...list.matchAll(/(\w+\??):/g)].map(([, name]) => name).join(", ");
}

describe("docs/primitives.md", () => {
  it("has a row for every method, and for nothing else", () => {
    const names = documented().map(([signature]) => /^`(\w+)\(/.exec(signature)?.[1]);
    expect(names.toSorted()).toEqual(Object.keys(methods).toSorted());
  });

  it("names their parameters as the interface does", () => {
    const source = read("./primitives.ts");
    const expected = Object.keys(methods).map((name) => `\`${name}(${parametersOf(name, source)})\``);
    expect(documented().map(([signature]) => signature)).toEqual(expect.arrayContaining(expected));
  });

  it("says of each what it moves, by which kernels, how fast", () => {
    for (const [signature, ...cells] of documented()) {
      expect(cells.length, signature).toBe(4);
      const [gives, bytes, kernels, rate] = cells;
      expect(gives, signature).not.toBe("");
      expect(bytes, signature).toMatch(/\d|^as `\w+`$/);
      expect(kernels, signature).toMatch(/^(alike|subgroups|strategy)$/);
      expect(rate, signature).toMatch(/\d|^–$/);
    }
  });
});
