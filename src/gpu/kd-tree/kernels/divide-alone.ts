import { linkFragments } from "../../shader/fragment.ts";
import { type BuildShape, threads } from "../shape.ts";
import { enables, entryArguments, setBits } from "./bits.ts";
import { levelHead, listsCode, widestCode } from "./level.ts";

/** Points of a segment that one thread divides: three levels, of which the last has leaves alone. */
const fewPoints = 7;

/** The list of the next axis determines both levels below: of three points in a row the middle one is above the others. */
const finishCode = (dimensions: number): string => /* wgsl */ `
fn finish(few: Segment, node: u32, axis: u32) {
  let middle = left_size(few.size);
  for (var i = 0u; i < few.size; i++) {
    let point = lists[axis * lone + few.start + i];
    ways[point] = select(select(2u, 1u, i == middle), 0u, i < middle);
    if (i == middle) { put(node, point); }
  }
  let next = (axis + 1u) % ${dimensions}u;
  var ranks = vec2u();
  for (var i = 0u; i < few.size; i++) {
    let point = lists[next * lone + few.start + i];
    let way = ways[point];
    if (way == 1u) { continue; }
    let child = 2u * node + 1u + way / 2u;
    let left = left_size(select(few.size - 1u - middle, middle, way == 0u));
    let rank = select(ranks.y, ranks.x, way == 0u);
    if (way == 0u) { ranks.x++; } else { ranks.y++; }
    put(select(2u * child + select(2u, 1u, rank < left), child, rank == left), point);
  }
}
`;

/**
 * All levels from one on, whose segments a workgroup holds each: as the kernels of levels do it, in workgroup memory.
 * Points are identified by their place among those of the segment on the first axis. Threads keep to places, `threads` apart.
 * Entry point divide_alone.
 */
export function divideAlone({ dimensions, isWidest, subgroups, lone }: BuildShape): string {
  const words = lone / 32;
  const chosenAxis = isWidest ? "widest[starts[k]]" : "axis";
  const otherAxis = isWidest ? "i" : `(axis + 1u + i) % ${dimensions}u`;
  return /* wgsl */ `
${enables(subgroups)}
${levelHead}
${listsCode(dimensions)}
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> ids: array<u32>;
${isWidest ? `@group(0) @binding(7) var<storage, read_write> axes: array<atomic<u32>>;\n${widestCode(dimensions)}` : ""}

const lone = ${lone}u;
const words = ${words}u;
const rows = ${lone / threads}u;
/** Lists that are divided when points are divided by an axis. */
const others = ${isWidest ? dimensions : dimensions - 1}u;
/** The segment's points in the order of the first axis, ascending. */
var<workgroup> own: array<u32, lone>;
/** For each axis the places in \`own\` of the points in its order. */
var<workgroup> lists: array<u32, ${dimensions * lone}>;
/** Which way the points go: 0 left, 1 nowhere, 2 right. */
var<workgroup> ways: array<u32, lone>;
/** For each list, which of its points go left, then which go right. */
var<workgroup> bits: array<atomic<u32>, ${2 * dimensions * words}>;
/** For each word of a list's bits those before it: left ones in the lower half, right ones in the upper. */
var<workgroup> sums: array<u32, ${dimensions * words}>;
${isWidest ? "/** By which axis a segment is divided, at its start. */\nvar<workgroup> widest: array<u32, lone>;" : ""}

${linkFragments(setBits("bits", subgroups))}

/** Where a point of the segment is in \`own\`. */
fn place_of(point: u32, count: u32) -> u32 {
  var low = 0u;
  var high = count;
  while (low + 1u < high) {
    let middle = (low + high) / 2u;
    if (own[middle] <= point) { low = middle; } else { high = middle; }
  }
  return low;
}

/** How many of a list's points before a place go left, and in the upper half how many go right. */
fn count_before(axis: u32, place: u32) -> u32 {
  let word = place / 32u;
  let mask = (1u << (place % 32u)) - 1u;
  let left = countOneBits(atomicLoad(&bits[2u * axis * words + word]) & mask);
  let right = countOneBits(atomicLoad(&bits[(2u * axis + 1u) * words + word]) & mask);
  return sums[axis * words + word] + (left | (right << 16u));
}

fn put(node: u32, point: u32) { ids[parameters.ids_lead + node] = order[parameters.order_lead + own[point]]; }

${isWidest ? "" : finishCode(dimensions)}

@compute @workgroup_size(${threads})
fn divide_alone(${entryArguments(subgroups)}) {
  ${subgroups ? "" : "let lane = thread; let size = 1u;"}
  let j = linear_group(group, groups);
  if (j >= (1u << parameters.level)) { return; }
  let segment = segment_of(parameters.level, j, parameters.count);
  if (segment.size == 0u) { return; }
  let count = min(segment.size, lone);
  for (var i = thread; i < count; i += ${threads}u) { own[i] = list_x[parameters.x_lead + segment.start + i]; }
  workgroupBarrier();
  for (var i = thread; i < count; i += ${threads}u) {
    lists[i] = i;
    for (var a = 1u; a < ${dimensions}u; a++) {
      lists[a * lone + i] = place_of(from_list(a, segment.start + i), count);
    }
  }
  // Of each of the thread's places the subtree that it is in; where it becomes a node, the point and the node's number.
  var starts: array<u32, rows>;
  var sizes: array<u32, rows>;
  var nodes: array<u32, rows>;
  var own_points: array<u32, rows>;
  // What is in each of its places of each list, and the way that goes in the upper two bits.
  var moved: array<u32, others * rows>;
  for (var k = 0u; k < rows; k++) {
    starts[k] = 0u;
    sizes[k] = select(0u, count, k * ${threads}u + thread < count);
    nodes[k] = (1u << parameters.level) - 1u + j;
    own_points[k] = 0u;
  }
  var axis = parameters.axis;
  var most = count;
  var levels = 0u;
  for (; most > ${isWidest ? 0 : fewPoints}u; most = left_size(most)) {
    for (var i = thread; i < ${2 * dimensions}u * words; i += ${threads}u) { atomicStore(&bits[i], 0u); }
    workgroupBarrier();
    ${
      isWidest
        ? /* wgsl */ `
    for (var k = 0u; k < rows; k++) {
      let start = starts[k];
      if (sizes[k] > 0u && k * ${threads}u + thread == start + left_size(sizes[k])) {
        var chosen = 0u;
        if (sizes[k] > 1u) {
          var first: array<u32, ${dimensions}>;
          var last: array<u32, ${dimensions}>;
          for (var a = 0u; a < ${dimensions}u; a++) {
            first[a] = own[lists[a * lone + start]];
            last[a] = own[lists[a * lone + start + sizes[k] - 1u]];
          }
          chosen = widest_axis(first, last);
          note_axis(nodes[k], chosen);
        }
        widest[start] = chosen;
      }
    }
    workgroupBarrier();`
        : ""
    }
    for (var k = 0u; k < rows; k++) {
      let place = k * ${threads}u + thread;
      let middle = starts[k] + left_size(sizes[k]);
      if (sizes[k] > 0u) {
        let point = lists[${chosenAxis} * lone + place];
        ways[point] = select(select(2u, 1u, place == middle), 0u, place < middle);
        if (place == middle) { own_points[k] = point; }
      }
    }
    workgroupBarrier();
    for (var k = 0u; k < rows; k++) {
      let place = k * ${threads}u + thread;
      for (var i = 0u; i < others; i++) {
        let a = ${otherAxis};
        var point = 0u;
        var way = 1u;
        if (sizes[k] > 0u${isWidest ? " && widest[starts[k]] != a" : ""}) {
          point = lists[a * lone + place];
          way = ways[point];
        }
        moved[i * rows + k] = point | (way << 30u);
        set_bits(2u * a * words, place, way == 0u, lane, size);
        set_bits((2u * a + 1u) * words, place, way == 2u, lane, size);
      }
    }
    workgroupBarrier();
    for (var w = thread; w < others * words; w += ${threads}u) {
      let i = w / words;
      let a = ${otherAxis};
      var sum = 0u;
      for (var before = 0u; before < words; before++) {
        let left = countOneBits(atomicLoad(&bits[2u * a * words + before]));
        let right = countOneBits(atomicLoad(&bits[(2u * a + 1u) * words + before]));
        sum += select(0u, left | (right << 16u), before < w % words);
      }
      sums[a * words + w % words] = sum;
    }
    workgroupBarrier();
    for (var k = 0u; k < rows; k++) {
      let place = k * ${threads}u + thread;
      let start = starts[k];
      let middle = start + left_size(sizes[k]);
      if (sizes[k] > 0u) {
        for (var i = 0u; i < others; i++) {
          let a = ${otherAxis};
          ${isWidest ? "if (widest[start] == a) { continue; }" : ""}
          let way = moved[i * rows + k] >> 30u;
          let before = count_before(a, place) - count_before(a, start);
          var to = middle;
          if (way == 0u) { to = start + (before & 0xffffu); }
          if (way == 2u) { to = middle + 1u + (before >> 16u); }
          lists[a * lone + to] = moved[i * rows + k] & 0x3fffffffu;
        }
      }
      if (place < middle) {
        sizes[k] = middle - start;
        nodes[k] = 2u * nodes[k] + 1u;
      } else if (place > middle && sizes[k] > 0u) {
        sizes[k] -= middle + 1u - start;
        starts[k] = middle + 1u;
        nodes[k] = 2u * nodes[k] + 2u;
      } else {
        sizes[k] = 0u;
      }
    }
    axis = (axis + 1u) % ${dimensions}u;
    levels++;
    workgroupBarrier();
  }
  for (var k = 0u; k < rows; k++) {
    if (sizes[k] == 0u && k * ${threads}u + thread < count) { put(nodes[k], own_points[k]); }
  }
  ${
    isWidest
      ? ""
      : /* wgsl */ `
  for (var s = thread; s < (1u << levels); s += ${threads}u) {
    let few = segment_of(levels, s, count);
    if (few.size == 0u) { continue; }
    finish(few, (1u << (parameters.level + levels)) - 1u + (j << levels) + s, axis);
  }`
  }
}
`;
}
