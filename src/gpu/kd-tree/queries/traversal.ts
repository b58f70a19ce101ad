import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { axesPerWord } from "../axes.ts";

/** The tree that queries are asked of. */
export interface TreeShape {
  readonly dimensions: 2 | 3;
  /** Whether nodes' axes are noted; otherwise they alternate. */
  readonly isWidest: boolean;
}

/** Threads of a workgroup, each with a query. */
export const queryThreads = 64;

const letters = ["x", "y", "z"] as const;

/** Bindings 0 to 3, and what reads nodes and queries. */
export const treeCode = ({ dimensions, isWidest }: TreeShape): string => /* wgsl */ `
struct Search {
  count: u32,
  queries: u32,
  nodes_lead: u32,
  queries_lead: u32,
  axes_lead: u32,
  ids_lead: u32,
  found_lead: u32,
  squares_lead: u32,
  starts_lead: u32,
  /** Points that there is room for. */
  room: u32,
  /** The square of the radius. */
  square: f32,
}
@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read> nodes: array<f32>;
@group(0) @binding(2) var<storage, read> queries: array<f32>;
${isWidest ? "@group(0) @binding(3) var<storage, read> axes: array<u32>;" : ""}

${linkFragments(linearGroup)}

alias Place = vec${dimensions}f;

fn read_place(i: u32) -> Place {
  let first = search.queries_lead + ${dimensions}u * i;
  return Place(${letters.slice(0, dimensions).map((_, a) => `queries[first + ${a}u]`)});
}

fn read_node(i: u32) -> Place {
  let first = search.nodes_lead + ${dimensions}u * i;
  return Place(${letters.slice(0, dimensions).map((_, a) => `nodes[first + ${a}u]`)});
}

/** The axis of a node of a depth. */
fn axis_of(node: u32, depth: u32) -> u32 {
  ${
    isWidest
      ? `return (axes[search.axes_lead + node / ${axesPerWord}u] >> (2u * (node % ${axesPerWord}u))) & 3u;`
      : `return depth % ${dimensions}u;`
  }
}
`;

export const queryHead = /* wgsl */ `
  let query = linear_group(group, groups) * ${queryThreads}u + thread;
  if (query >= search.queries) { return; }
  let place = read_place(query);`;

export const queryArguments = /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,`;

/**
 * Goes to the nodes that may be nearer than `bound`, which may shrink: at each, `visit` finds its number `node` and the
 * `square` of its distance. Nearer sides come first. Instead of a stack, a bit for each depth says whether the other
 * side of the node above is still to be seen: all nodes above a node follow from its number.
 */
export const traverse = (
  dimensions: number,
  bound: string,
  comparison: "<" | "<=",
  visit: string,
): string => /* wgsl */ `
  var node = 0u;
  var depth = 0u;
  var open = 0u;
  loop {
    while (node >= search.count) {
      if (open == 0u) { break; }
      let above = firstLeadingBit(open);
      open ^= 1u << above;
      let seen = (node + 1u) >> (depth - above - 1u);
      let axis = axis_of((seen >> 1u) - 1u, above);
      let beyond = nodes[search.nodes_lead + ${dimensions}u * ((seen >> 1u) - 1u) + axis] - place[axis];
      if (beyond * beyond ${comparison} ${bound}) {
        node = (seen ^ 1u) - 1u;
        depth = above + 1u;
      }
    }
    if (node >= search.count) { break; }
    let point = read_node(node);
    let offset = point - place;
    let square = dot(offset, offset);
    ${visit}
    let axis = axis_of(node, depth);
    let beyond = offset[axis];
    if (beyond * beyond ${comparison} ${bound}) { open |= 1u << depth; }
    node = 2u * node + select(2u, 1u, beyond > 0.0);
    depth++;
  }`;
