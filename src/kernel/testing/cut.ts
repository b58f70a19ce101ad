/** Calls on wholes cut into calls on blocks that have ghost layers as wide as the kernel's footprint says. */
import { type Reach, reachesOf } from "../footprint.ts";
import { wordOf } from "../interpret/position.ts";
import type { KernelProgram } from "../ir.ts";
import {
  elementCount,
  type GridPart,
  type InputBlock,
  type KernelArray,
  type KernelCall,
  type Part,
} from "../layout.ts";

/** Disjoint parts that cover a whole, at random. */
export function randomCuts(random: () => number, whole: Part): Part[] {
  const halves = (first: number, length: number): [number, number][] => {
    if (length < 2 || random() < 0.3) return [[first, length]];
    const before = 1 + Math.floor(random() * (length - 1));
    return [...halves(first, before), ...halves(first + before, length - before)];
  };
  if (whole.kind === "row") {
    return halves(whole.first, whole.length).map(([first, length]) => ({ ...whole, first, length }));
  }
  const [x, y, z] = whole.extents.map((extent) => halves(0, extent));
  return z.flatMap(([oz, ez]) =>
    y.flatMap(([oy, ey]) =>
      x.map(([ox, ex]): Part => ({ ...whole, origin: [ox, oy, oz], extents: [ex, ey, ez] })),
    ),
  );
}

/** The call that computes one part, with no more of its inputs than the footprint says, laid out at random. */
export function callOfPart(
  random: () => number,
  program: KernelProgram,
  call: KernelCall,
  space: Part,
): KernelCall {
  const reaches = reachesOf(program, call.constants);
  const inputs = Object.entries(program.inputs).map(([name, { components = 1 }]) => {
    const reach = reaches[name];
    const whole = call.inputs[name];
    const part = reach ? grown(space, reach) : whole.part;
    return [name, copied(random, whole, part, components)] as const;
  });
  const outputs = Object.entries(call.outputs).map(([name, words]) => {
    const { components = 1 } = program.outputs[name];
    return [name, newWords(words, components * elementCount(space))] as const;
  });
  return { ...call, space, inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) };
}

/** Puts a part's outputs where they belong in those of the whole. */
export function putBack(program: KernelProgram, call: KernelCall, { space, outputs }: KernelCall): void {
  for (const [name, words] of Object.entries(outputs)) {
    const { components = 1 } = program.outputs[name];
    positionsOf(space).forEach((position, i) => {
      for (let c = 0; c < components; c++) {
        call.outputs[name][position * components + c] = words[i * components + c];
      }
    });
  }
}

function grown(space: Part, { before, after }: Reach): Part {
  if (space.kind === "row") {
    const first = Math.max(0, space.first - before[0]);
    const end = Math.min(space.whole, space.first + space.length + after[0]);
    return { ...space, first, length: end - first };
  }
  const { whole } = space;
  const origin = space.origin.map((o, k) => Math.max(0, o - before[k]));
  const ends = space.origin.map((o, k) => Math.min(whole[k], o + space.extents[k] + after[k]));
  const extents = ends.map((end, k) => end - origin[k]);
  return { ...space, origin: triple(origin), extents: triple(extents) };
}

const triple = ([x, y, z]: readonly number[]): GridPart["origin"] => [x, y, z];

/** Flat numbers in the whole of a part's elements. */
function positionsOf(part: Part): number[] {
  return Array.from({ length: elementCount(part) }, (_, i) => {
    if (part.kind === "row") return part.first + i;
    const { origin, extents, whole } = part;
    const row = Math.floor(i / extents[0]);
    const y = origin[1] + (row % extents[1]);
    const z = origin[2] + Math.floor(row / extents[1]);
    return origin[0] + (i % extents[0]) + whole[0] * (y + whole[1] * z);
  });
}

function newWords(like: KernelArray, length: number): KernelArray {
  if (like instanceof Float32Array) return new Float32Array(length);
  if (like instanceof Float64Array) return new Float64Array(length);
  return like instanceof Int32Array ? new Int32Array(length) : new Uint32Array(length);
}

function copied(random: () => number, from: InputBlock, part: Part, components: number): InputBlock {
  const count = elementCount(part);
  const lead = Math.floor(random() * 3);
  const isPlanar = random() < 0.5;
  const elementStride = isPlanar ? 1 : components + Math.floor(random() * 2);
  const componentStride = isPlanar ? count + 1 : 1;
  const block = { part, lead, elementStride, componentStride };
  const words = newWords(from.words, lead + (count + 1) * Math.max(elementStride, components));
  positionsOf(part).forEach((position, i) => {
    for (let c = 0; c < components; c++) {
      words[wordOf({ ...block, words }, components, i, c)] =
        from.words[wordOf(from, components, position, c)];
    }
  });
  return { ...block, words };
}
