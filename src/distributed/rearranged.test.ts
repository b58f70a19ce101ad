import { expect, it } from "vitest";
import { runRanks } from "../cluster/communicator/testing/run-ranks.ts";
import { toCoordinates, toIndex } from "../core/hypercube/coordinates.ts";
import { sourceIndex } from "../core/hypercube/index-map.ts";
import { mapOf } from "../core/hypercube/operations.ts";
import { parseTransform } from "../core/hypercube/parse-transform.ts";
import { rearrangementCases } from "../core/hypercube/testing/rearrangements.ts";
import { counted, transformed } from "../core/hypercube/testing/reference.ts";
import { countOfPart, lengthsOf, type Part } from "../core/hypercube/travel.ts";
import { evenParts, rearrangedOnRanks } from "./rearranged.ts";

/** Indices of a part's elements in the whole, in the order of its array. */
const elementsOf = (lengths: readonly number[], part: Part): number[] =>
  Array.from({ length: countOfPart(part) }, (_, k) =>
    toIndex(
      lengths,
      toCoordinates(lengthsOf(part), k).map((x, axis) => x + part.first[axis]),
    ),
  );

/** What ranks make of their parts of a whole, and the values that each of them sends. */
async function rearranged(
  lengths: readonly number[],
  text: string,
  ranks: number,
  components = 1,
  around = 0,
) {
  const map = mapOf(lengths, parseTransform(text));
  const sources = evenParts(lengths, ranks);
  const targets = evenParts(map.to, ranks).map(({ first, end }) => ({
    first: first.map((x) => Math.max(0, x - around)),
    end: end.map((x, axis) => Math.min(map.to[axis], x + around)),
  }));
  const outcomes = await runRanks(ranks, { seed: 1 }, async (communicator) => {
    const own = elementsOf(lengths, sources[communicator.rank]);
    const values = Float64Array.from(
      { length: own.length * components },
      (_, k) => components * own[Math.floor(k / components)] + 1 + (k % components),
    );
    let sent = 0;
    const counting = {
      rank: communicator.rank,
      size: ranks,
      recv: communicator.recv.bind(communicator),
      send(...[to, data, tag]: Parameters<typeof communicator.send>) {
        sent += (data as Float64Array).length;
        return communicator.send(to, data, tag);
      },
    };
    return {
      got: await rearrangedOnRanks(counting, map, { sources, targets }, values, components),
      sent: () => sent,
    };
  });
  const parts = outcomes.map((outcome) => {
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  });
  return {
    map,
    sources,
    targets,
    parts: parts.map(({ got }) => [...got]),
    sent: parts.map(({ sent }) => sent()),
  };
}

it.each(rearrangementCases())("three ranks make $name of their parts", async ({ lengths, text }) => {
  const { map, targets, parts } = await rearranged(lengths, text, 3);
  const expected = parseTransform(text).reduce(transformed, counted(lengths)).values;
  for (const [rank, part] of parts.entries())
    expect(part).toEqual(elementsOf(map.to, targets[rank]).map((k) => expected[k]));
});

it("ranks get elements of several values that others have, too", async () => {
  const { map, targets, parts } = await rearranged([4, 5, 6], "shift(z, 2) | flip(x)", 4, 2, 1);
  const source = sourceIndex(map);
  for (const [rank, part] of parts.entries()) {
    const expected = elementsOf(map.to, targets[rank]).map((k) => source(k) as number);
    expect(part).toEqual(expected.flatMap((k) => [2 * k + 1, 2 * k + 2]));
  }
});

it("a shift along the divided axis sends as many layers to one neighbour, and one across it nothing", async () => {
  expect((await rearranged([6, 5, 12], "shift(z, 2)", 3)).sent).toEqual([60, 60, 60]);
  expect((await rearranged([6, 5, 12], "shift(x, 2) | flip(y) | crinkle(x, 3)", 3)).sent).toEqual([0, 0, 0]);
});

it.each([
  "crinkle(z, 2)",
  "transpose(x, z)",
  "pad(z, 5, 0) | tile(2, 1, 1)",
  "pad(z, 4, 0) | crop(x, 2, 0) | morton()",
])("%s sends what changes ranks alone", async (text) => {
  const { map, sources, targets, sent } = await rearranged([6, 2, 12], text, 3);
  const source = sourceIndex(map);
  const owners = (part: Part) => new Set(elementsOf([6, 2, 12], part));
  const expected = sources.map((part, rank) => {
    const own = owners(part);
    const others = targets.filter((_, to) => to !== rank).flatMap((target) => elementsOf(map.to, target));
    return others.filter((k) => own.has(source(k) ?? -1)).length;
  });
  expect(sent).toEqual(expected);
  expect(Math.max(...sent)).toBeGreaterThan(0);
});
