import { describe } from "vitest";
import { all, around, own } from "../../access.ts";
import { defineKernel } from "../../kernel.ts";
import { randomElements, randomWords } from "../data.ts";
import { check, type Subject } from "./subject.ts";

/** Of each element: how far it is below what lies `step` behind, times a factor; and both as a pair, scaled. */
const stencil = defineKernel({
  name: "stencil",
  inputs: {
    values: { type: "f32", access: around(0, ({ step }) => Number(step)) },
    factors: { type: "i32", access: all },
  },
  constants: {
    step: { type: "u32" },
    count: { type: "u32" },
    scale: { type: "f32", components: 2 },
    shift: { type: "i32" },
  },
  outputs: { rise: { type: "i32" }, pair: { type: "f32", components: 3 } },
  text: `
    let here = values(element);
    let there = beyond(here);
    out.rise = i32(there - here) * factors(element % 5u) + constants.shift;
    out.pair = vec3f(vec2f(here, there) * constants.scale, f32(place));`,
  functions: `
    fn beyond(otherwise: f32) -> f32 {
      if (element + constants.step >= constants.count) { return otherwise; }
      return values(element + constants.step);
    }`,
});

/** An element of three words, turned and weighed by what belongs to the result, an input of its own. */
const turned = defineKernel({
  name: "turned",
  inputs: {
    points: { type: "f32", components: 3, access: around(0, 0) },
    weights: { type: "u32", components: 2, access: own },
  },
  constants: {},
  outputs: { moved: { type: "f32", components: 4 } },
  text: `
    let weight = weights();
    if (weight.x == weight.y) {
      out.moved = vec4f(points(element).zxy, 0.0);
      return;
    }
    out.moved = vec4f(points(element).zxy, f32(i32(weight.x) - i32(weight.y)));`,
});

const factorAt = (i: number): number => [1, -2, 3, 0, 5][i % 5];

/** Kernels with a signature, of vectors and views, at all elements and at chosen ones. */
export function describeKernels(subject: Subject): void {
  describe("kernels", () => {
    check(subject, "read around their element and in tables, by constants", async (bag) => {
      const p = bag.primitives;
      const factors = Int32Array.of(1, -2, 3, 0, 5);
      for (const n of subject.sizes) {
        const values = randomElements("f32", n, n + 1, 2 ** 12);
        const inputs = { values: bag.put("f32", values), factors: bag.put("i32", factors) };
        for (const step of [1, 7]) {
          const constants = { step, count: n, scale: [0.5, -2], shift: -step };
          const { rise, pair } = await p.forEach(n, stencil, { inputs, constants });
          const there = values.map((x, i) => (i + step < n ? values[i + step] : x));
          const rises = Int32Array.from(values, (x, i) => (there[i] - x) * factors[i % 5] - step);
          await bag.expect(rise, rises, `rises of ${n}`);
          const pairs = Array.from(values, (x, i) => [0.5 * x, -2 * there[i], i]).flat();
          await bag.expect(pair, Float32Array.from(pairs), `pairs of ${n}`, 3);
        }
        bag.release();
      }
    });

    check(
      subject,
      "make a share of a row of what lies around it, at the places of the whole",
      async (bag) => {
        const p = bag.primitives;
        for (const n of subject.sizes) {
          const values = randomElements("f32", n, n + 1, 2 ** 12);
          const factors = bag.put("i32", Int32Array.of(1, -2, 3, 0, 5));
          const constants = { step: 3, count: n, scale: [0.5, -2], shift: 1 };
          const ends = [0, Math.ceil(n / 3), n];
          for (let k = 0; k + 1 < ends.length; k++) {
            const [first, end] = [ends[k], ends[k + 1]];
            const there = values.map((x, i) => (i + 3 < n ? values[i + 3] : x));
            const inputs = { values: bag.put("f32", values.slice(first, end + 3)), factors };
            const share = { first, origins: { values: first } };
            const { rise, pair } = await p.forEach(end - first, stencil, { inputs, constants, share });
            const rises = Int32Array.from(values, (x, i) => (there[i] - x) * factorAt(i) + 1);
            await bag.expect(rise, rises.slice(first, end), `rises from ${first} to ${end} of ${n}`);
            const pairs = Array.from(values, (x, i) => [0.5 * x, -2 * there[i], i]).slice(first, end);
            await bag.expect(pair, pairs.flat(), `pairs from ${first} to ${end} of ${n}`, 3);
          }
          bag.release();
        }
      },
    );

    check(
      subject,
      "are at the elements that they are given, and read what belongs to the result",
      async (bag) => {
        const p = bag.primitives;
        for (const n of subject.sizes) {
          const data = randomElements("f32", 3 * (n + 2), n + 1);
          const weights = randomElements("u32", 2 * n, n + 2, 3);
          const map = randomWords(n, n + 3).map((word) => word % (n + 1));
          const inputs = {
            points: p.view(bag.put("f32", data, 3), 1, n + 2),
            weights: p.reversed(bag.put("u32", weights, 2)),
          };
          const { moved } = await p.forEach(n, turned, {
            inputs,
            constants: {},
            at: p.reversed(bag.u32(map)),
          });
          const expected = Array.from({ length: n }, (_, i) => {
            const k = n - 1 - i;
            const [x, y, z] = data.subarray(3 * (map[k] + 1));
            return [z, x, y, weights[2 * k] - weights[2 * k + 1]];
          });
          await bag.expect(moved, expected.flat(), `${n} turned`, 4);
          bag.release();
        }
      },
    );

    check(subject, "read vectors through maps, zeros where an index is out of range", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const data = randomElements("f32", 3 * (n + 1), n + 1);
        const weights = randomElements("u32", 2 * (n + 1), n + 2, 3);
        const places = randomWords(n + 1, n + 3).map((word) => word % (n + 1));
        const [map, other] = [n + 4, n + 5].map((seed) => randomWords(n, seed).map((word) => word % (n + 2)));
        const { moved } = await p.forEach(n, turned, {
          inputs: {
            points: bag.put("f32", data, 3),
            weights: p.permuted(bag.put("u32", weights, 2), bag.u32(map)),
          },
          constants: {},
          at: p.permuted(bag.u32(places), bag.u32(other)),
        });
        const expected = Array.from({ length: n }, (_, i) => {
          const [x, y, z] = data.subarray(3 * (places[other[i]] ?? 0));
          const [a = 0, b = 0] = weights.subarray(2 * map[i]);
          return [z, x, y, a - b];
        });
        await bag.expect(moved, expected.flat(), `${n} turned through maps`, 4);
        bag.release();
      }
    });
  });
}
