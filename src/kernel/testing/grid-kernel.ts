import { type KernelText, parseKernel } from "../text/parse.ts";
import { arrayOf, f32, i32, vectorOf } from "../types.ts";

/** Declarations that kernels of tests share: an input of each access, scalar, vector and integer outputs. */
const signature: Omit<KernelText, "text" | "name"> = {
  inputs: {
    own: { scalar: "f32", access: { kind: "own" } },
    vectors: { scalar: "f32", components: 3, access: { kind: "own" } },
    near: { scalar: "f32", access: { kind: "offsets" } },
    wide: {
      scalar: "f32",
      access: {
        kind: "footprint",
        footprint: { before: [2, 1, 0], after: [({ reach }) => Number(reach), 1, 0] },
      },
    },
    nodes: { scalar: "u32", access: { kind: "all" } },
    corners: { scalar: "f32", access: { kind: "map", map: "nodes", arity: 8 } },
    table: { scalar: "f32", access: { kind: "all" } },
  },
  outputs: { result: { scalar: "f32" }, vector: { scalar: "f32", components: 3 }, count: { scalar: "i32" } },
  constants: { scale: f32, reach: i32, offset: vectorOf("f32", 3), weights: arrayOf(f32, 4) },
};

export const gridKernel = (text: string) => parseKernel({ name: "test", ...signature, text });
