/** Kernels over rows and grids that read as far as random footprints let them. */
import type { KernelProgram } from "../ir.ts";
import { elementCount, type KernelCall, type Part, wholeGrid, wholeRow } from "../layout.ts";
import { parseKernel } from "../text/parse.ts";
import { f32, i32 } from "../types.ts";
import { randomFloats, randomWords } from "./random-call.ts";

interface Case {
  readonly program: KernelProgram;
  readonly call: KernelCall;
}

const below = (random: () => number, count: number) => Math.floor(random() * count);

/** Reads of all kinds, some of them beyond the whole's border. */
export function randomReachCase(random: () => number): Case {
  return random() < 0.4 ? rowCase(random) : gridCase(random);
}

const outputs = {
  sum: { scalar: "f32" },
  vector: { scalar: "f32", components: 3 },
  at: { scalar: "u32" },
} as const;

function gridCase(random: () => number): Case {
  const offset = () => below(random, 5) - 2;
  const reach = () => below(random, 3);
  const before = [reach(), reach(), reach()] as const;
  const after = [reach(), reach(), reach()] as const;
  const text = `
fn flow(x: i32, y: i32, z: i32) -> f32 { return wide(x, y, z); }
var sum = own() + constants.scale * near(${offset()}, ${offset()}, ${offset()}) + near(${offset()}, 0, 0);
let here = vec3i(at);
for (var z = -constants.before; z <= ${after[2]}; z++) {
  for (var x = -${before[0]}; x <= ${after[0]}; x += 1) {
    sum += 0.5 * flow(here.x + x, here.y - ${before[1]}, here.z + z) - wide(here.x, here.y + ${after[1]}, here.z);
  }
}
sum += table(element % 9) + corners(element & 7);
out.sum = sum;
out.vector = vectors(${offset()}, ${offset()}, ${offset()}).zxy + vectors(0, 0, 0);
out.at = element * 3 + place;`;
  const footprint = {
    before: [before[0], before[1], ({ before: z }: Readonly<Record<string, unknown>>) => Number(z)],
    after,
  } as const;
  const program = parseKernel({
    name: "in a grid",
    inputs: {
      own: { scalar: "f32", access: { kind: "own" } },
      near: { scalar: "f32", access: { kind: "offsets" } },
      vectors: { scalar: "f32", components: 3, access: { kind: "offsets" } },
      wide: { scalar: "f32", access: { kind: "footprint", footprint } },
      nodes: { scalar: "u32", access: { kind: "all" } },
      corners: { scalar: "f32", access: { kind: "map", map: "nodes", arity: 8 } },
      table: { scalar: "f32", access: { kind: "all" } },
    },
    outputs,
    constants: { scale: f32, before: i32 },
    text,
  });
  const grid = wholeGrid([1 + below(random, 7), 1 + below(random, 6), 1 + below(random, 5)]);
  return {
    program,
    call: callOf(random, grid, { scale: 0.25, before: before[2] }),
  };
}

function rowCase(random: () => number): Case {
  const offset = () => below(random, 7) - 3;
  const [before, after] = [below(random, 4), below(random, 4)];
  const text = `
var sum = own() + near(${offset()}) - constants.scale * near(${offset()});
for (var i = -${before}; i <= ${after}; i++) { sum += wide(i32(element) + i); }
out.sum = sum + table(place) + corners(7);
out.vector = vectors(${offset()}) + vectors(${offset()}).yyx;
out.at = element;`;
  const program = parseKernel({
    name: "in a row",
    inputs: {
      own: { scalar: "f32", access: { kind: "own" } },
      near: { scalar: "f32", access: { kind: "offsets" } },
      vectors: { scalar: "f32", components: 3, access: { kind: "offsets" } },
      wide: {
        scalar: "f32",
        access: { kind: "footprint", footprint: { before: [before, 0, 0], after: [after, 0, 0] } },
      },
      nodes: { scalar: "u32", access: { kind: "all" } },
      corners: { scalar: "f32", access: { kind: "map", map: "nodes", arity: 8 } },
      table: { scalar: "f32", access: { kind: "all" } },
    },
    outputs,
    constants: { scale: f32, before: i32 },
    text,
  });
  return { program, call: callOf(random, wholeRow(1 + below(random, 40)), { scale: 0.25, before: 0 }) };
}

function callOf(random: () => number, space: Part, constants: KernelCall["constants"]): KernelCall {
  const n = elementCount(space);
  const floats = (length: number) => randomFloats(random, length, 0);
  return {
    space,
    inputs: {
      own: { words: floats(n), part: space },
      near: { words: floats(n), part: space },
      vectors: { words: floats(3 * n), part: space },
      wide: { words: floats(n), part: space },
      nodes: { words: randomWords(random, 8 * n, n + 2), part: wholeRow(8 * n) },
      corners: { words: floats(n), part: wholeRow(n) },
      table: { words: floats(9), part: wholeRow(9) },
    },
    outputs: newOutputs(n),
    constants,
  };
}

export const newOutputs = (count: number): KernelCall["outputs"] => ({
  sum: new Float32Array(count),
  vector: new Float32Array(3 * count),
  at: new Uint32Array(count),
});
