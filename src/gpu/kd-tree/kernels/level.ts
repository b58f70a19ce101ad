import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { type BuildShape, threads, tileSize, tileWords } from "../shape.ts";
import { enables, entryArguments, setBits } from "./bits.ts";
import { segments } from "./segments.ts";

/** Parameters of a level's kernels. Lists' leads are in the order of the axes. */
const levelCode = /* wgsl */ `
struct Level {
  count: u32,
  level: u32,
  /** Of each node's segment. */
  tiles: u32,
  /** By which points are divided, where axes alternate. */
  axis: u32,
  /** Of the list that is divided. */
  list_axis: u32,
  list_lead: u32,
  to_lead: u32,
  ids_lead: u32,
  points_lead: u32,
  axes_lead: u32,
  /** Words of the mask to clear. */
  mask_words: u32,
  order_lead: u32,
  x_lead: u32,
  y_lead: u32,
  z_lead: u32,
}
@group(0) @binding(0) var<uniform> parameters: Level;
`;

export const levelHead = linkFragments(linearGroup, segments) + levelCode;

/** Bindings 2, 3 and 4: the lists of all axes, and \`from_list(axis, i)\`. */
export const listsCode = (dimensions: number): string => /* wgsl */ `
@group(0) @binding(2) var<storage, read> list_x: array<u32>;
@group(0) @binding(3) var<storage, read> list_y: array<u32>;
${dimensions === 3 ? "@group(0) @binding(4) var<storage, read> list_z: array<u32>;" : ""}

fn from_list(axis: u32, i: u32) -> u32 {
  ${dimensions === 3 ? "if (axis == 2u) { return list_z[parameters.z_lead + i]; }" : ""}
  if (axis == 1u) { return list_y[parameters.y_lead + i]; }
  return list_x[parameters.x_lead + i];
}
`;

/** The widest axis of points of which \`first\` and \`last\` are the least and greatest on each. */
export const widestCode = (dimensions: number): string => /* wgsl */ `
@group(0) @binding(8) var<storage, read> points: array<f32>;

fn coordinate(point: u32, axis: u32) -> f32 {
  return points[parameters.points_lead + order[parameters.order_lead + point] * ${dimensions}u + axis];
}

/** 0 where both are the same infinity. */
fn extent_of(low: f32, high: f32) -> f32 { return select(high - low, 0.0, high == low); }

fn widest_axis(first: array<u32, ${dimensions}>, last: array<u32, ${dimensions}>) -> u32 {
  var widest = 0u;
  var extent = -1.0;
  ${Array.from(
    { length: dimensions },
    (_, axis) => /* wgsl */ `
  let extent${axis} = extent_of(coordinate(first[${axis}], ${axis}u), coordinate(last[${axis}], ${axis}u));
  if (extent${axis} > extent) { widest = ${axis}u; extent = extent${axis}; }`,
  ).join("")}
  return widest;
}

fn note_axis(node: u32, axis: u32) {
  atomicOr(&axes[parameters.axes_lead + node / 16u], axis << (2u * (node % 16u)));
}
`;

/**
 * For each node of a level its point, and by which axis its others are divided. Entry point place_nodes. One thread a
 * node.
 */
export const placeNodes = ({ dimensions, isWidest }: BuildShape): string => /* wgsl */ `
${levelHead}
@group(0) @binding(1) var<storage, read_write> pivots: array<vec2u>;
${listsCode(dimensions)}
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> ids: array<u32>;
${isWidest ? `@group(0) @binding(7) var<storage, read_write> axes: array<atomic<u32>>;\n${widestCode(dimensions)}` : ""}

@compute @workgroup_size(${threads})
fn place_nodes(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let j = linear_group(group, groups) * ${threads}u + thread;
  if (j >= (1u << parameters.level)) { return; }
  let segment = segment_of(parameters.level, j, parameters.count);
  if (segment.size == 0u) { return; }
  let node = (1u << parameters.level) - 1u + j;
  ${
    isWidest
      ? /* wgsl */ `
  var first: array<u32, ${dimensions}>;
  var last: array<u32, ${dimensions}>;
  for (var a = 0u; a < ${dimensions}u; a++) {
    first[a] = from_list(a, segment.start);
    last[a] = from_list(a, segment.start + segment.size - 1u);
  }
  let axis = select(0u, widest_axis(first, last), segment.size > 1u);
  note_axis(node, axis);`
      : "let axis = parameters.axis;"
  }
  let pivot = from_list(axis, segment.start + left_size(segment.size));
  pivots[j] = vec2u(pivot, axis);
  ids[parameters.ids_lead + node] = order[parameters.order_lead + pivot];
}
`;

/** The node and the tile of a workgroup, its segment, and how the node divides it. */
const tileHead = /* wgsl */ `
  let slot = linear_group(group, groups);
  let j = slot / parameters.tiles;
  let tile = slot % parameters.tiles;
  if (j >= (1u << parameters.level)) { return; }
  let segment = segment_of(parameters.level, j, parameters.count);`;

/** Rows of a tile: each thread has one point of each. */
const rows = tileSize / threads;

/** Sets the bits of points right of their node, where its axis is not the first. Entry point mark_sides. */
export const markSides = ({ dimensions }: BuildShape): string => /* wgsl */ `
${levelHead}
@group(0) @binding(1) var<storage, read> pivots: array<vec2u>;
${listsCode(dimensions)}
@group(0) @binding(5) var<storage, read_write> mask: array<atomic<u32>>;

@compute @workgroup_size(${threads})
fn mark_sides(${entryArguments(false)}) {
  ${tileHead}
  let axis = pivots[j].y;
  if (axis == 0u) { return; }
  let first = segment.start + left_size(segment.size) + 1u + tile * ${tileSize}u;
  let end = segment.start + segment.size;
  if (first >= end) { return; }
  // All are asked for before the first is needed.
  var points: array<u32, ${rows}>;
  for (var k = 0u; k < ${rows}u; k++) { points[k] = from_list(axis, min(first + k * ${threads}u + thread, end - 1u)); }
  for (var k = 0u; k < ${rows}u; k++) {
    if (first + k * ${threads}u + thread < end) { atomicOr(&mask[points[k] / 32u], 1u << (points[k] % 32u)); }
  }
}
`;

/**
 * For each tile of a list of points of another axis the bits of those that go left, their number, and in its highest
 * bit whether the node's own point is there. Entry point count_left.
 */
export const countLeft = ({ subgroups }: BuildShape): string => /* wgsl */ `
${enables(subgroups)}
${levelHead}
@group(0) @binding(1) var<storage, read> pivots: array<vec2u>;
@group(0) @binding(2) var<storage, read> list: array<u32>;
@group(0) @binding(3) var<storage, read> mask: array<u32>;
@group(0) @binding(4) var<storage, read_write> sides: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;

var<workgroup> bits: array<atomic<u32>, ${tileWords}>;
var<workgroup> total: atomic<u32>;
${setBits("bits", subgroups).code}

@compute @workgroup_size(${threads})
fn count_left(${entryArguments(subgroups)}) {
  ${tileHead}
  ${subgroups ? "" : "let lane = thread; let size = 1u;"}
  let pivot = pivots[j];
  if (pivot.y == parameters.list_axis) { return; }
  if (tile * ${tileSize}u >= segment.size) { return; }
  let base = parameters.list_lead + segment.start + tile * ${tileSize}u;
  let here = min(segment.size - tile * ${tileSize}u, ${tileSize}u);
  // All are asked for before the first is needed.
  var points: array<u32, ${rows}>;
  for (var k = 0u; k < ${rows}u; k++) { points[k] = list[base + min(k * ${threads}u + thread, here - 1u)]; }
  var rights: array<bool, ${rows}>;
  if (pivot.y == 0u) {
    for (var k = 0u; k < ${rows}u; k++) { rights[k] = points[k] > pivot.x; }
  } else {
    var words: array<u32, ${rows}>;
    for (var k = 0u; k < ${rows}u; k++) { words[k] = mask[points[k] / 32u]; }
    for (var k = 0u; k < ${rows}u; k++) { rights[k] = ((words[k] >> (points[k] % 32u)) & 1u) != 0u; }
  }
  for (var k = 0u; k < ${rows}u; k++) {
    let e = k * ${threads}u + thread;
    let is_pivot = (points[k] == pivot.x) & (e < here);
    if (is_pivot) { atomicAdd(&total, 0x80000000u); }
    set_bits(0u, e, (e < here) & !is_pivot & !rights[k], lane, size);
  }
  workgroupBarrier();
  if (thread < ${tileWords}u) {
    let word = atomicLoad(&bits[thread]);
    sides[slot * ${tileWords}u + thread] = word;
    atomicAdd(&total, countOneBits(word));
  }
  workgroupBarrier();
  if (thread == 0u) { counts[slot] = atomicLoad(&total); }
}
`;

/**
 * Moves the points of a list to the subtrees' segments, in their order, and clears the words of the mask that it is
 * told. Entry point divide_list.
 */
export const divideList = /* wgsl */ `
${levelHead}
@group(0) @binding(1) var<storage, read> pivots: array<vec2u>;
/** A part of the buffer that the result is in, perhaps, which then may not be bound for reading alone. */
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@group(0) @binding(3) var<storage, read> sides: array<u32>;
@group(0) @binding(4) var<storage, read> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> result: array<u32>;
@group(0) @binding(6) var<storage, read_write> mask: array<u32>;

var<workgroup> bits: array<u32, ${tileWords}>;
var<workgroup> sums: array<array<u32, ${tileWords}>, 2>;
var<workgroup> before_all: atomic<u32>;
var<workgroup> pivot_at: u32;

@compute @workgroup_size(${threads})
fn divide_list(${entryArguments(false)}) {
  ${tileHead}
  if (thread < ${tileWords}u) {
    let word = slot * ${tileWords}u + thread;
    if (word < parameters.mask_words) { mask[word] = 0u; }
  }
  if (tile * ${tileSize}u >= segment.size) { return; }
  let pivot = pivots[j];
  let first = parameters.list_lead + segment.start + tile * ${tileSize}u;
  let here = min(segment.size - tile * ${tileSize}u, ${tileSize}u);
  if (pivot.y == parameters.list_axis) {
    let to = parameters.to_lead + segment.start + tile * ${tileSize}u;
    for (var e = thread; e < here; e += ${threads}u) { result[to + e] = list[first + e]; }
    return;
  }
  var points: array<u32, ${rows}>;
  for (var k = 0u; k < ${rows}u; k++) { points[k] = list[first + min(k * ${threads}u + thread, here - 1u)]; }
  if (thread == 0u) { pivot_at = ${tileSize}u; }
  var own = 0u;
  for (var t = thread; t < tile; t += ${threads}u) { own += counts[slot - tile + t]; }
  if (own != 0u) { atomicAdd(&before_all, own); }
  if (thread < ${tileWords}u) {
    let word = sides[slot * ${tileWords}u + thread];
    bits[thread] = word;
    sums[0][thread] = countOneBits(word);
  }
  workgroupBarrier();
  for (var k = 0u; k < ${rows}u; k++) {
    let e = k * ${threads}u + thread;
    if ((e < here) & (points[k] == pivot.x)) { pivot_at = e; }
  }
  ${Array.from({ length: Math.log2(tileWords) }, (_, k) => {
    const [a, b, step] = [k % 2, (k + 1) % 2, 2 ** k];
    return /* wgsl */ `
  if (thread < ${tileWords}u) {
    var sum = sums[${a}][thread];
    if (thread >= ${step}u) { sum += sums[${a}][thread - ${step}u]; }
    sums[${b}][thread] = sum;
  }
  workgroupBarrier();`;
  }).join("")}
  let carried = atomicLoad(&before_all);
  let left_before = carried & 0x7fffffffu;
  let pivot_before = carried >> 31u;
  let left = left_size(segment.size);
  let start = parameters.to_lead + segment.start;
  for (var k = 0u; k < ${rows}u; k++) {
    let e = k * ${threads}u + thread;
    if (e >= here) { break; }
    let word = bits[e / 32u];
    let bit = e % 32u;
    let lefts = left_before + sums[${Math.log2(tileWords) % 2}][e / 32u] - countOneBits(word >> bit);
    var place = lefts;
    if (((word >> bit) & 1u) == 0u) {
      place = left + 1u + tile * ${tileSize}u + e - lefts - pivot_before - u32(pivot_at < e);
      if (e == pivot_at) { place = left; }
    }
    result[start + place] = points[k];
  }
}
`;
