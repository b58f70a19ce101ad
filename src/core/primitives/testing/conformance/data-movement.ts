import { describe, expect } from "vitest";
import type { ScalarType } from "../../vector.ts";
import { arrayOf, randomElements, randomWords, runKeys, scalarTypes } from "../data.ts";
import { isLarge } from "../operators.ts";
import { check, type Subject } from "./subject.ts";

/** Element i of interleaved words. */
const elementAt = (words: ArrayLike<number>, i: number, components: number): number[] =>
  Array.from({ length: components }, (_, c) => words[i * components + c]);

const typeOf = (n: number): ScalarType => scalarTypes[n % 3];

/** What moves elements: by selection, by segment, through maps. */
export function describeDataMovement(subject: Subject): void {
  describeCompaction(subject);
  describeSplits(subject);
  describeMaps(subject);
}

/** What moves elements by selection. */
export function describeCompaction(subject: Subject): void {
  const { sizes } = subject;

  describe("compaction", () => {
    check(subject, "keeps by predicate, in order", async (bag) => {
      const p = bag.primitives;
      for (const type of scalarTypes) {
        for (const [k, n] of sizes.entries()) {
          const data = randomElements(type, n, n + 1, [400, 110, 100, 2 ** 24][k % 4]);
          const [kept, left] = [data.filter((x) => x > 100), data.filter((x) => x <= 100)];
          const vector = bag.put(type, data);
          const what = `${kept.length} of ${n} ${type}`;
          await bag.expect(p.copyIf(vector, { where: isLarge }), kept, `copy of ${what}`);
          await bag.expect(p.removeIf(vector, { where: isLarge }), left, `all but ${what}`);
          const { vector: parts, selected } = await p.partition(vector, { where: isLarge });
          expect(selected, what).toBe(kept.length);
          await bag.expect(parts, [...kept, ...left], `partition by ${what}`);
          bag.release();
        }
      }
    });

    check(subject, "keeps by stencil, elements of 1 to 4 words", async (bag) => {
      const p = bag.primitives;
      for (const [k, n] of sizes.entries()) {
        const components = (k % 4) + 1;
        const data = randomElements(typeOf(n), n * components, n + 2);
        const vector = bag.put(typeOf(n), data, components);
        for (const density of [0, 0.01, 0.5, 1]) {
          const flags = randomWords(n, n + 3).map((word) => (word < density * 2 ** 32 ? word | 4 : 0));
          const positions = Array.from(flags.keys());
          const pick = (isKept: boolean) =>
            positions
              .filter((i) => (flags[i] !== 0) === isKept)
              .flatMap((i) => elementAt(data, i, components));
          const selection = { stencil: bag.u32(flags) };
          const what = `${density} of ${n} with ${components} words`;
          await bag.expect(p.copyIf(vector, selection), pick(true), `copy of ${what}`, components);
          await bag.expect(p.removeIf(vector, selection), pick(false), `all but ${what}`, components);
          const { vector: parts, selected } = await p.partition(vector, selection);
          expect(selected, what).toBe(pick(true).length / components);
          await bag.expect(parts, [...pick(true), ...pick(false)], `partition by ${what}`, components);
        }
        bag.release();
      }
    });
  });
}

function describeSplits(subject: Subject): void {
  const { sizes } = subject;

  describe("splits", () => {
    check(subject, "go within segments", async (bag) => {
      const p = bag.primitives;
      for (const [k, n] of sizes.entries()) {
        const components = (k % 2) * 2 + 1;
        const data = randomElements(typeOf(n), n * components, n + 4);
        const flags = randomWords(n, n + 5).map((word) => word & 2);
        for (const spread of [1, 40, 2 ** 32]) {
          const keys = runKeys(n, spread, n + 6);
          const order = Array.from(keys.keys()).sort(
            (i, j) => keys[i] - keys[j] || Math.sign(flags[i]) - Math.sign(flags[j]) || i - j,
          );
          const expected = order.flatMap((i) => elementAt(data, i, components));
          const heads = keys.map((key, i) => Number(i > 0 && key !== keys[i - 1]));
          const [vector, flagged] = [bag.put(typeOf(n), data, components), bag.u32(flags)];
          for (const segments of [{ keys: bag.u32(keys) }, { heads: bag.u32(heads) }]) {
            const what = `${n} in segments of ${spread} by ${Object.keys(segments)}`;
            await bag.expect(p.segmentedSplit(vector, flagged, segments), expected, what, components);
          }
        }
        bag.release();
      }
    });
  });
}

/** What moves elements through maps. */
export function describeMaps(subject: Subject): void {
  const { sizes } = subject;

  describe("maps", () => {
    check(subject, "gather, and give zeros where they lead nowhere", async (bag) => {
      const p = bag.primitives;
      for (const [k, n] of sizes.entries()) {
        const components = (k % 4) + 1;
        const type = typeOf(n);
        const data = randomElements(type, n * components, n + 7);
        const source = bag.put(type, data, components);
        const far = randomWords(n + 3, n + 8).map((word, i) => (i % 5 === 0 ? word : word % (n + 2)));
        const nothing = new Array<number>(components).fill(0);
        const expected = Array.from(far).flatMap((i) => (i < n ? elementAt(data, i, components) : nothing));
        const map = bag.u32(far);
        await bag.expect(p.gather(map, source), expected, `gather of ${n}`, components);
        await bag.expect(p.copy(p.permuted(source, map)), expected, `view of ${n} through a map`, components);
        const bad = far.findIndex((i) => i >= n);
        await expect(p.gather(map, source, true)).rejects.toMatchObject({ tag: "BadArgument" });
        await expect(p.gather(map, source, true)).rejects.toThrow(`${far[bad]} at position ${bad} `);
        const near = bag.u32(randomWords(n, n + 9).map((word) => word % n));
        const checked = await bag.take(p.gather(near, source, true));
        expect(checked).toEqual(await bag.take(p.gather(near, source)));
        const stencil = randomWords(n + 3, n + 10).map((word) => word & 8);
        const fallback = randomElements(type, (n + 3) * components, n + 11);
        const mixed = Array.from(expected, (x, w) => (stencil[Math.floor(w / components)] ? x : fallback[w]));
        const [chosen, other] = [bag.u32(stencil), bag.put(type, fallback, components)];
        await bag.expect(p.gatherIf(map, chosen, source, other), mixed, `gather of some`, components);
        bag.release();
      }
    });

    check(subject, "scatter, and pass over what leads nowhere", async (bag) => {
      const p = bag.primitives;
      for (const [k, n] of sizes.entries()) {
        const components = (k % 4) + 1;
        const type = typeOf(n);
        const data = randomElements(type, n * components, n + 12);
        const source = bag.put(type, data, components);
        const length = n + 5;
        const places = Array.from(randomWords(length, n + 13).entries())
          .sort(([, a], [, b]) => a - b)
          .map(([i]) => (i % 7 === 2 ? length + i : i))
          .slice(0, n);
        const [map, stencil] = [bag.u32(places), randomWords(n, n + 14).map((word) => word & 1)];
        const before = randomElements(type, length * components, n + 15);
        const isBad = places.some((place) => place >= length);
        for (const chosen of [undefined, stencil]) {
          const target = bag.put(type, before, components);
          const expected = Array.from(before);
          for (const [i, place] of places.entries()) {
            if (place >= length || chosen?.[i] === 0) continue;
            for (let c = 0; c < components; c++) expected[place * components + c] = data[i * components + c];
          }
          if (chosen) await p.scatterIf(source, map, bag.u32(chosen), target);
          else await p.scatter(source, map, target);
          await bag.expect(p.copy(target), expected, `scatter of ${n}`, components);
        }
        const target = bag.put(type, before, components);
        const checked = p.scatter(source, map, target, true);
        if (isBad) {
          await expect(checked).rejects.toMatchObject({ tag: "BadArgument" });
          await bag.expect(p.copy(target), before, `refused scatter of ${n}`, components);
        } else await checked;
        bag.release();
      }
    });

    check(subject, "change views of vectors, and nothing around them", async (bag) => {
      const p = bag.primitives;
      const whole = bag.hold(await p.sequence("i32", 40));
      const part = p.view(whole, 7, 27);
      const source = bag.put("i32", arrayOf("i32", [-1, -2, -3]));
      await p.scatter(source, bag.u32([0, 19, 20]), part);
      const expected = Array.from({ length: 40 }, (_, i) => (i === 7 ? -1 : i === 26 ? -2 : i));
      await bag.expect(p.copy(whole), expected, "the whole");
    });
  });
}
