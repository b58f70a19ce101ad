import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { takeRanges } from "../demand.ts";
import { triangleRecord, vertexRecord } from "../surface-records.ts";
import { drawWords, resetCounts, surfaceState } from "../surface-state.ts";

export const clipParameters: Fragment = {
  name: "clip: parameters",
  code: /* wgsl */ `
struct Parameters {
  /** Of the plane, relative to the grid's center. */
  origin: vec3f,
  vertex_capacity: u32,
  factors: vec3f,
  index_capacity: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export interface ClipParameters {
  origin: readonly number[];
  factors: readonly number[];
  vertex_capacity: number;
  index_capacity: number;
}

/** The words of the clipped surface's state that kernels of the clip read. */
const source: Fragment = {
  name: "clip: source",
  code: /* wgsl */ `
const index_count = 0u;
const vertex_demand = ${drawWords}u;
`,
};

/** The clipped surface has all vertices of its source, then its own. */
const reset: Fragment = {
  name: "clip: reset",
  requires: [surfaceState, resetCounts, source],
  code: /* wgsl */ `
@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> state: SurfaceState;

@compute @workgroup_size(1)
fn reset() {
  reset_counts(source[vertex_demand]);
}
`,
};

/**
 * Appends the part of each triangle on the plane's positive side. A triangle that only touches the plane from there
 * stays as it is; a vertex on the plane is kept where its triangle is. A new vertex lies between a vertex below and one
 * above, and is made from the one with the lower number on, so that both triangles of an edge have it equal to the bit.
 * Its last word is the place of its edge among the source's indices: the edge begins at that corner of its triangle.
 */
const clip: Fragment = {
  name: "clip",
  requires: [clipParameters, surfaceState, source, takeRanges, vertexRecord, triangleRecord],
  code: /* wgsl */ `
override threads = 256u;

@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read> source_indices: array<u32>;
@group(0) @binding(3) var<storage, read_write> state: SurfaceState;
@group(0) @binding(4) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;

/** New vertices | triangles << 16, so far; then the first vertex and the first index of the workgroup's triangles. */
var<workgroup> tally: atomic<u32>;
var<workgroup> first: vec2u;

fn distance_of(vertex: u32) -> f32 {
  let terms = (bitcast<vec3f>(vertices[2u * vertex].xyz) - parameters.origin) * parameters.factors;
  return (terms.x + terms.y) + terms.z;
}

fn are_apart(a: f32, b: f32) -> bool {
  return (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0);
}

fn emit_vertex(vertex: u32, ends: vec2u, distances: vec2f, edge: u32) {
  let is_swapped = vertices[2u * ends.x + 1u].w > vertices[2u * ends.y + 1u].w;
  let a = select(ends.x, ends.y, is_swapped);
  let b = select(ends.y, ends.x, is_swapped);
  let d = select(distances, distances.yx, is_swapped);
  let t = clamp(d.x / (d.x - d.y), 0.0, 1.0);
  let a0 = bitcast<vec4f>(vertices[2u * a]);
  let b0 = bitcast<vec4f>(vertices[2u * b]);
  let a1 = bitcast<vec3f>(vertices[2u * a + 1u].xyz);
  let b1 = bitcast<vec3f>(vertices[2u * b + 1u].xyz);
  let position = a0.xyz + t * (b0.xyz - a0.xyz);
  let na = vec3f(a0.w, a1.xy);
  let nb = vec3f(b0.w, b1.xy);
  let between = na + t * (nb - na);
  let length_squared = dot(between, between);
  var normal = na;
  if (any(na != nb) && length_squared > 0.0) {
    normal = between * inverseSqrt(length_squared);
  }
  let scalar = a1.z + t * (b1.z - a1.z);
  write_vertex(vertex, position, normal, scalar, edge);
}

fn clip_triangles(start: u32, triangle_count: u32, lane: u32) {
  let triangle = start + lane;
  var numbers = vec3u(0u);
  var distances = vec3f(-1.0);
  if (triangle < triangle_count) {
    numbers = vec3u(
      source_indices[3u * triangle],
      source_indices[3u * triangle + 1u],
      source_indices[3u * triangle + 2u],
    );
    distances = vec3f(distance_of(numbers.x), distance_of(numbers.y), distance_of(numbers.z));
  }
  let is_below = distances < vec3f(0.0);
  let is_kept = !all(is_below) & (any(distances > vec3f(0.0)) | !any(is_below));
  let crossed = vec3<bool>(
    are_apart(distances.x, distances.y),
    are_apart(distances.y, distances.z),
    are_apart(distances.z, distances.x),
  );
  let new_vertices = dot(vec3u(crossed), vec3u(1u));
  let corners = new_vertices + dot(vec3u(!is_below), vec3u(1u));
  let triangles = select(0u, corners - 2u, is_kept);

  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&tally, 0u);
  }
  workgroupBarrier();
  var place = 0u;
  if (is_kept) {
    place = atomicAdd(&tally, new_vertices | (triangles << 16u));
  }
  workgroupBarrier();
  if (lane == 0u) {
    let total = atomicLoad(&tally);
    first = take_ranges(total & 0xffffu, 3u * (total >> 16u));
  }
  workgroupBarrier();
  if (!is_kept) {
    return;
  }

  var polygon: array<u32, 4>;
  var at = 0u;
  var vertex = first.x + (place & 0xffffu);
  for (var corner = 0u; corner < 3u; corner++) {
    let next = (corner + 1u) % 3u;
    if (!is_below[corner]) {
      polygon[at] = numbers[corner];
      at++;
    }
    if (crossed[corner]) {
      if (vertex < parameters.vertex_capacity) {
        let ends = vec2u(numbers[corner], numbers[next]);
        emit_vertex(vertex, ends, vec2f(distances[corner], distances[next]), 3u * triangle + corner);
      }
      polygon[at] = vertex;
      at++;
      vertex++;
    }
  }
  let index = first.y + 3u * (place >> 16u);
  write_triangle(index, vec3u(polygon[0], polygon[1], polygon[2]));
  if (triangles == 2u) {
    write_triangle(index + 3u, vec3u(polygon[0], polygon[2], polygon[3]));
  }
}

@compute @workgroup_size(threads)
fn clip_surface(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let triangle_count = source[index_count] / 3u;
  for (var start = group.x * threads; start < triangle_count; start += groups.x * threads) {
    clip_triangles(start, triangle_count, lane);
  }
}
`,
};

export const resetClipShader = { label: "clip: reset", code: linkFragments(reset), entryPoint: "reset" };

export const clipShader = { label: "clip", code: linkFragments(clip), entryPoint: "clip_surface" };
