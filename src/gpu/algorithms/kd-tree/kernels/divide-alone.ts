import { linkFragments } from "../../../shader/fragment.ts";
import { type BuildShape, threads } from "../shape.ts";
import { enables, entryArguments, setBits } from "./bits.ts";
import { levelHead, listsCode, widestCode } from "./level.ts";

/**
 * All levels from one on, whose segments a workgroup holds each: as the kernels of levels do it, in workgroup memory.
 * Points are told by their place among those of the segment on the first axis. Threads keep to places, `threads` apart.
 * Entry point divide_alone.
 */
export function divideAlone({ dimensions, isWidest, subgroups, lone }: BuildShape): string {
  const words = lone / 32;
  const chosenAxis = isWidest ? "widest[starts[k]]" : "axis";
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
/** The segment's points in the order of the first axis, ascending. */
var<workgroup> own: array<u32, lone>;
/** For each axis the places in \`own\` of the points in its order. */
var<workgroup> lists: array<u32, ${dimensions * lone}>;
/** Which way the points go: 0 left, 1 nowhere, 2 right. */
var<workgroup> ways: array<u32, lone>;
/** For each list, which of its points go left, then which go right. */
var<workgroup> bits: array<atomic<u32>, ${2 * dimensions * words}>;
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

/** Bits of places [start, end) of the words from \`at\` on. */
fn count_bits(at: u32, start: u32, end: u32) -> u32 {
  let last = end / 32u;
  var word = start / 32u;
  var mask = 0xffffffffu << (start % 32u);
  var sum = 0u;
  while (word < last) {
    sum += countOneBits(atomicLoad(&bits[at + word]) & mask);
    mask = 0xffffffffu;
    word++;
  }
  if (end % 32u != 0u) {
    sum += countOneBits(atomicLoad(&bits[at + word]) & mask & ((1u << (end % 32u)) - 1u));
  }
  return sum;
}

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
  // Of each of the thread's places the subtree that it is in, and where it becomes a node the point and the node's number.
  var starts: array<u32, rows>;
  var sizes: array<u32, rows>;
  var nodes: array<u32, rows>;
  var own_points: array<u32, rows>;
  // What is in each of its places of each list, and the way that goes in the upper two bits.
  var moved: array<u32, ${dimensions} * rows>;
  for (var k = 0u; k < rows; k++) {
    starts[k] = 0u;
    sizes[k] = select(0u, count, k * ${threads}u + thread < count);
    nodes[k] = (1u << parameters.level) - 1u + j;
    own_points[k] = 0u;
  }
  var axis = parameters.axis;
  let levels = 32u - countLeadingZeros(count);
  for (var level = 0u; level < levels; level++) {
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
      for (var a = 0u; a < ${dimensions}u; a++) {
        var point = 0u;
        var way = 1u;
        if (sizes[k] > 0u && ${chosenAxis} != a) {
          point = lists[a * lone + place];
          way = ways[point];
        }
        moved[a * rows + k] = point | (way << 30u);
        set_bits(2u * a * words, place, way == 0u, lane, size);
        set_bits((2u * a + 1u) * words, place, way == 2u, lane, size);
      }
    }
    workgroupBarrier();
    for (var k = 0u; k < rows; k++) {
      let place = k * ${threads}u + thread;
      let start = starts[k];
      let middle = start + left_size(sizes[k]);
      if (sizes[k] > 0u) {
        for (var a = 0u; a < ${dimensions}u; a++) {
          if (${chosenAxis} == a) { continue; }
          let way = moved[a * rows + k] >> 30u;
          var to = middle;
          if (way == 0u) { to = start + count_bits(2u * a * words, start, place); }
          if (way == 2u) { to = middle + 1u + count_bits((2u * a + 1u) * words, start, place); }
          lists[a * lone + to] = moved[a * rows + k] & 0x3fffffffu;
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
    axis = select(axis + 1u, 0u, axis == ${dimensions - 1}u);
    workgroupBarrier();
  }
  for (var k = 0u; k < rows; k++) {
    if (k * ${threads}u + thread < count) { ids[parameters.ids_lead + nodes[k]] = order[own[own_points[k]]]; }
  }
}
`;
}
