import type { Value } from "../communicator.ts";
import { defineReduction } from "../operators.ts";

/** Operators that depend on the order of ranks. */
export const concatenate = defineReduction({ name: "concatenate", join: (a: string, b: string) => a + b });

export const append = defineReduction<readonly Value[]>({
  name: "append",
  join: (a, b) => [...a, ...b],
});

export const earlier = defineReduction({ name: "earlier", element: (a) => a });

/** Products of 2 × 2 matrices of u32, modulo 2³². */
export const matrixProduct = defineReduction({
  name: "product of 2 × 2 matrices",
  group: 4,
  combine: (a, b, from, to) => {
    for (let i = from; i < to; i += 4) {
      const [p, q, r, s] = [a[i], a[i + 1], a[i + 2], a[i + 3]].map(Number);
      const [t, u, v, w] = [b[i], b[i + 1], b[i + 2], b[i + 3]].map(Number);
      b[i] = Math.imul(p, t) + Math.imul(q, v);
      b[i + 1] = Math.imul(p, u) + Math.imul(q, w);
      b[i + 2] = Math.imul(r, t) + Math.imul(s, v);
      b[i + 3] = Math.imul(r, u) + Math.imul(s, w);
    }
  },
});

/** The same for whole arrays. */
export const wholeProduct = defineReduction<Uint32Array>({
  name: "product of a matrix",
  join: (a: Uint32Array, b: Uint32Array) => {
    const product = b.slice();
    matrixProduct.combine?.(a, product, 0, 4);
    return product;
  },
});
