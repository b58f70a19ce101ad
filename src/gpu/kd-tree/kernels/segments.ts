import { leftBalanced } from "../../../core/kd-tree/splits.ts";
import type { Fragment } from "../../shader/fragment.ts";

/**
 * Points keep to their place in the order of the tree from left to right: a node's points are a segment of it, which
 * the numbers of points and of the node tell. Its own point is put between those of its subtrees.
 */
export const segments: Fragment = {
  name: "segments of nodes",
  code: /* wgsl */ `
struct Segment { start: u32, size: u32 }

fn left_size(x: u32) -> u32 { return ${leftBalanced.text}; }

/** The points of the jth node of a level of a tree of n points: none where there is no such node. */
fn segment_of(level: u32, j: u32, n: u32) -> Segment {
  var segment = Segment(0u, n);
  for (var bit = level; bit > 0u;) {
    bit--;
    let left = left_size(segment.size);
    if (((j >> bit) & 1u) == 0u) {
      segment.size = left;
    } else {
      segment.start += left + 1u;
      segment.size = max(segment.size, left + 1u) - left - 1u;
    }
  }
  return segment;
}
`,
};
