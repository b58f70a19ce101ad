import fc from "fast-check";
import { expect, test } from "vitest";
import { CrinkleError } from "../core/errors.ts";
import { noJob } from "../core/job.ts";
import { isPointSet } from "../core/point-set.ts";
import { statisticsOf } from "../engine/host-statistics.ts";
import { readData } from "./read.ts";
import { bytesSource } from "./source.ts";
import { fixtureBytes, fixtureNames } from "./testing/fixtures.ts";

const files = await Promise.all(
  (await fixtureNames())
    .filter((name) => !/\.(bin|img)$/.test(name))
    .map(async (name) => ({ name, bytes: await fixtureBytes(name) })),
);
/** Far above what any of them takes, and far below what a lie in a header could make a reader wait. */
const slowestMs = 5000;
const timeout = 60_000;

/** Reads damaged bytes: a data set or points whose every value can be visited, or a CrinkleError, and soon. */
async function survives(name: string, bytes: Uint8Array): Promise<void> {
  const start = performance.now();
  try {
    const read = await readData(bytesSource(bytes, name), noJob);
    const arrays = isPointSet(read) ? read.columns : read.fields;
    for (const { data, components } of arrays) await statisticsOf(data, components);
    if (isPointSet(read))
      expect(await statisticsOf(read.positions, 1)).toMatchObject({ nan: 0, infinite: 0 });
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    expect(["BadFile", "UnsupportedFormat", "UnknownFormat", "TooLarge"]).toContain(error.tag);
    expect(error.message).toMatch(/^“.+[.)]$/s);
  }
  expect(performance.now() - start).toBeLessThan(slowestMs);
}

const file = fc.constantFrom(...files);
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test(
  "every fixture cut at any length",
  async () => {
    await fc.assert(
      fc.asyncProperty(file, place, ({ name, bytes }, at) =>
        survives(name, bytes.subarray(0, Math.floor(at * bytes.length))),
      ),
      { numRuns: 500 },
    );
  },
  timeout,
);

test(
  "every fixture with a few bytes changed anywhere",
  async () => {
    const changes = fc.array(fc.tuple(place, fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(file, changes, ({ name, bytes }, flips) => {
        const damaged = bytes.slice();
        for (const [at, value] of flips) damaged[Math.floor(at * bytes.length)] = value;
        return survives(name, damaged);
      }),
      { numRuns: 1000 },
    );
  },
  timeout,
);

test(
  "every fixture with a number in its text replaced",
  async () => {
    const numbers = fc.constantFrom(
      "0",
      "-1",
      "99999999999",
      "4294967295",
      "1e308",
      "nan",
      "",
      "x",
      "18446744073709551615",
      "0.5",
    );
    const withNumbers = files.filter(({ bytes }) => bytes.some((byte) => byte >= 0x30 && byte <= 0x39));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...withNumbers),
        place,
        numbers,
        ({ name, bytes }, at, replacement) => {
          const text = Buffer.from(bytes).toString("latin1");
          const found = [...text.matchAll(/\d+/g)];
          const { index, 0: old } = found[Math.floor(at * found.length)];
          return survives(
            name,
            Buffer.from(text.slice(0, index) + replacement + text.slice(index + old.length), "latin1"),
          );
        },
      ),
      { numRuns: 1000 },
    );
  },
  timeout,
);
