import { describe, expect } from "vitest";
import { arrayOf, randomElements, scalarTypes } from "../data.ts";
import { difference, itself, magnitude, mean, triple } from "../operators.ts";
import { check, type Subject } from "./subject.ts";

/** What makes vectors: from the host, from functions, from other vectors. */
export function describeElementwise(subject: Subject): void {
  const { sizes } = subject;

  describe("vectors", () => {
    check(subject, "come from the host and go there, elements of 1 to 4 words", async (bag) => {
      const p = bag.primitives;
      for (const type of scalarTypes) {
        for (const n of sizes) {
          const components = (n % 4) + 1;
          const data = randomElements(type, n * components, n + 1);
          const vector = bag.put(type, data, components);
          expect([vector.type, vector.length, vector.components]).toEqual([type, n, components]);
          const expected = data.slice();
          data.fill(7);
          await bag.expect(p.copy(vector), expected, `copy of ${n}`, components);
          (await p.toHost(vector)).fill(7);
          await bag.expect(p.reverse(p.reversed(vector)), expected, `${n} reversed twice`, components);
          if (n === 0 || components > 1) continue;
          expect(await p.front(vector)).toBe(expected[0]);
          expect(await p.back(vector)).toBe(expected[n - 1]);
          bag.release();
        }
      }
    });

    check(subject, "keep every bit of f32", async (bag) => {
      const special = arrayOf("f32", [-0, 0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** -149, -(2 ** -140)]);
      await bag.expect(bag.primitives.copy(bag.put("f32", special)), special, "copy");
    });

    check(subject, "are filled, counted, generated", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const numbers = Array.from({ length: n }, (_, i) => i);
        await bag.expect(p.fill("i32", n, -5), arrayOf("i32", new Array(n).fill(-5)), `fill of ${n}`);
        await bag.expect(p.fill("f32", n, 0.1), arrayOf("f32", new Array(n).fill(0.1)), `fill of ${n}`);
        await bag.expect(p.sequence("u32", n), numbers, `sequence of ${n}`);
        const wrapped = arrayOf(
          "u32",
          numbers.map((i) => 2 ** 32 - 3 + 2 * i),
        );
        await bag.expect(p.sequence("u32", n, 2 ** 32 - 3, 2), wrapped, `u32 past the end`);
        const down = numbers.map((i) => 5 - 3 * i);
        await bag.expect(p.sequence("i32", n, 5, -3), down, `i32 down`);
        const quarters = numbers.map((i) => i / 4 - 8);
        await bag.expect(p.sequence("f32", n, -8, 0.25), quarters, `f32 by quarters`);
        const tenths = await bag.take(p.sequence("f32", n, 0.1, 0.1));
        const step = Math.fround(0.1);
        const far = tenths.findIndex((x, i) => !(Math.abs(x - step * (i + 1)) <= 2 ** -23 * step * (i + 1)));
        expect(far, `tenth ${far} is ${tenths[far]}`).toBe(-1);
        await bag.expect(
          p.generate("i32", n, triple),
          numbers.map((i) => 3 * i + 1),
          `generate ${n}`,
        );
      }
    });
  });

  describe("transforms", () => {
    check(subject, "map each element, to other types too", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        for (const type of scalarTypes) {
          const data = randomElements(type, n, n + 2, 2 ** 20);
          const expected = Array.from(data, (x) => 3 * x + 1);
          const vector = bag.put(type, data);
          await bag.expect(p.transform(vector, triple, type), expected, `triples of ${n} ${type}`);
        }
        const data = randomElements("f32", n, n + 3, 2 ** 20);
        const result = await p.transform(bag.put("f32", data), magnitude, "u32");
        expect(result.type).toBe("u32");
        await bag.expect(result, data.map(Math.abs), `magnitudes of ${n}`);
        bag.release();
      }
    });

    check(subject, "end at an integer type's bounds what is made of f32, and wrap integers", async (bag) => {
      const p = bag.primitives;
      const data = arrayOf("f32", [
        -3e9,
        -1.75,
        -0,
        0.99,
        1.5,
        16_777_217,
        2 ** 31,
        3e9,
        2 ** 33,
        -(2 ** 40),
      ]);
      const floats = bag.put("f32", data);
      const bounds = { u32: [0, 2 ** 32 - 1], i32: [-(2 ** 31), 2 ** 31 - 1] } as const;
      for (const type of ["u32", "i32"] as const) {
        const [least, greatest] = bounds[type];
        for (const result of [
          p.transform(floats, itself, type),
          p.zip([floats], { ...itself, text: "x0" }, type),
        ]) {
          const got = await bag.take(result);
          for (const [i, x] of data.entries()) {
            const expected = Math.trunc(Math.min(Math.max(x, least), greatest));
            // The greatest f32 of the type may stand for the type's greatest.
            const slack = x > greatest ? 255 : 0;
            expect(Math.abs(got[i] - expected), `${x} as ${type} is ${got[i]}`).toBeLessThanOrEqual(slack);
          }
        }
      }
      const words = bag.u32([0, 1, 2 ** 31, 2 ** 32 - 1]);
      await bag.expect(p.transform(words, itself, "i32"), [0, 1, -(2 ** 31), -1], "u32 as i32");
      const signed = bag.hold(await p.transform(words, itself, "i32"));
      await bag.expect(p.transform(signed, itself, "u32"), [0, 1, 2 ** 31, 2 ** 32 - 1], "i32 as u32");
    });

    check(subject, "zip two vectors and three, of several types", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const [a, b] = [1, 2].map((seed) => randomElements("i32", n, seed));
        const vectors = [a, b].map((data) => bag.put("i32", data));
        const expected = a.map((x, i) => x - b[i]);
        await bag.expect(p.zip(vectors, difference, "i32"), expected, `differences of ${n}`);
        const [x, y, z] = [
          randomElements("u32", n, 3, 1000),
          randomElements("i32", n, 4, 1000),
          randomElements("f32", n, 5, 1000),
        ];
        const mixed = [bag.put("u32", x), bag.put("i32", y), bag.put("f32", z)];
        const means = Array.from(x, (_, i) => (x[i] + y[i] + z[i]) / 4);
        await bag.expect(p.zip(mixed, mean, "f32"), means, `means of ${n}`);
        bag.release();
      }
    });
  });
}
