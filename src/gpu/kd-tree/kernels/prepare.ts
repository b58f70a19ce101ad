import { threads } from "../shape.ts";

/** Writes 0, 1, … and clears the mask of points. Entry point begin_lists. */
export const beginLists = /* wgsl */ `
struct Parameters { count: u32, list_lead: u32, mask_words: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> mask: array<u32>;

@compute @workgroup_size(${threads})
fn begin_lists(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * ${threads}u;
  for (var i = id.x; i < parameters.count; i += step) {
    list[parameters.list_lead + i] = i;
    if (i < parameters.mask_words) { mask[i] = 0u; }
  }
}
`;

/** One coordinate of each point, in the points' order or a given one from its `first` on. Entry point take_column. */
export const takeColumn = (dimensions: number, isOrdered: boolean): string => /* wgsl */ `
struct Parameters { count: u32, axis: u32, points_lead: u32, column_lead: u32, first: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read_write> column: array<f32>;
${isOrdered ? "@group(0) @binding(3) var<storage, read> order: array<u32>;" : ""}

@compute @workgroup_size(${threads})
fn take_column(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * ${threads}u;
  for (var i = id.x; i < parameters.count; i += step) {
    let point = ${isOrdered ? "order[parameters.first + i]" : "i"};
    column[parameters.column_lead + i] =
      points[parameters.points_lead + point * ${dimensions}u + parameters.axis];
  }
}
`;

/**
 * The second coordinates of points in a given order from its `first` on, and the third ones: points in no order are read
 * at the price of a sector each. Entry point take_columns.
 */
export const takeColumns = /* wgsl */ `
struct Parameters { count: u32, points_lead: u32, second_lead: u32, third_lead: u32, first: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> second: array<f32>;
@group(0) @binding(4) var<storage, read_write> third: array<f32>;

@compute @workgroup_size(${threads})
fn take_columns(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * ${threads}u;
  for (var i = id.x; i < parameters.count; i += step) {
    let at = parameters.points_lead + order[parameters.first + i] * 3u;
    second[parameters.second_lead + i] = points[at + 1u];
    third[parameters.third_lead + i] = points[at + 2u];
  }
}
`;

/** The points of these ids. Entry point take_points. */
export const takePoints = (dimensions: number): string => /* wgsl */ `
struct Parameters { count: u32, points_lead: u32, ids_lead: u32, nodes_lead: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> ids: array<u32>;
@group(0) @binding(3) var<storage, read_write> nodes: array<f32>;

@compute @workgroup_size(${threads})
fn take_points(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * ${threads}u;
  for (var i = id.x; i < parameters.count; i += step) {
    let first = parameters.points_lead + ids[parameters.ids_lead + i] * ${dimensions}u;
    let to = parameters.nodes_lead + i * ${dimensions}u;
    for (var axis = 0u; axis < ${dimensions}u; axis++) { nodes[to + axis] = points[first + axis]; }
  }
}
`;

/** Words, each with a number added. Entry point add_words. */
export const addWords = /* wgsl */ `
struct Parameters { count: u32, source_lead: u32, result_lead: u32, added: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${threads})
fn add_words(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = groups.x * ${threads}u;
  for (var i = id.x; i < parameters.count; i += step) {
    result[parameters.result_lead + i] = source[parameters.source_lead + i] + parameters.added;
  }
}
`;
