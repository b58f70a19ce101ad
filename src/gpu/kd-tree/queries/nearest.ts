import { badArgument } from "../../../core/primitives/checks.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, checkApart, checkAtLeast, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { candidates, noNode } from "./candidates.ts";
import { queryArguments, queryHead, queryThreads, type TreeShape, traverse, treeCode } from "./traversal.ts";
import { bindTree, checkTree, searchWords, type TreeViews } from "./tree-views.ts";

export interface NearestOperands {
  readonly tree: TreeViews;
  /**
   * f32, a coordinate for each dimension, interleaved. Queries that follow each other should be near each other, as the
   * tree's own nodes are: they share what they read.
   */
  readonly queries: View;
  /** u32, k words a query: indices by the tree's ids, the nearest first; 2³² − 1 where the tree has fewer. */
  readonly ids: View;
  /** f32, k words a query: squares of distances; ∞ where the tree has fewer. */
  readonly squares: View;
}

export interface Nearest {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: NearestOperands): void;
}

/** The most points that a query finds. */
export const maxNearest = 64;

/** Throws BadArgument where k is not 1 to 64. */
function checkNearest(k: number): void {
  if (Number.isInteger(k) && k >= 1 && k <= maxNearest) return;
  throw badArgument(`The ${k} nearest points were asked for.`, `Ask for 1 to ${maxNearest}.`);
}

const nearestCode = (shape: TreeShape, k: number): string => {
  const found = candidates(k);
  return /* wgsl */ `
${treeCode(shape)}
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;
@group(0) @binding(6) var<storage, read_write> squares: array<u32>;

fn put(i: u32, node: u32, square: f32) {
  if (node == ${noNode}) {
    found[search.found_lead + i] = ${noNode};
    squares[search.squares_lead + i] = 0x7f800000u;
  } else {
    found[search.found_lead + i] = ids[search.ids_lead + node];
    squares[search.squares_lead + i] = bitcast<u32>(square);
  }
}

@compute @workgroup_size(${queryThreads})
fn find_nearest(${queryArguments}) {
  ${queryHead}
  ${found.begin}
  ${traverse(shape.dimensions, found.bound, "<", found.visit)}
  ${found.end}
  ${
    found.isIndexed
      ? `for (var i = 0u; i < ${k}u; i++) { put(query * ${k}u + i, ${found.at("i").node}, ${found.at("i").square}); }`
      : Array.from({ length: k }, (_, i) => {
          const { node, square } = found.at(i);
          return `put(query * ${k}u + ${i}u, ${node}, ${square});`;
        }).join("\n  ")
  }
}
`;
};

/** The k nearest points of each query, 1 to 64. Distances whose squares exceed f32 are not found. */
export async function createNearest(gpu: GpuContext, shape: TreeShape, k: number): Promise<Nearest> {
  checkNearest(k);
  const entryPoint = "find_nearest";
  const code = nearestCode(shape, k);
  const pipeline = await gpu.pipelines.get({ label: `KD-tree: ${k} nearest`, code, entryPoint });
  return {
    record(recorder, { tree, queries, ids, squares }) {
      const what = "A search for the nearest points";
      const { dimensions } = shape;
      checkTree(gpu.device, what, shape, tree);
      checkView(gpu.device, `${what}: queries`, queries, dimensions);
      checkView(gpu.device, `${what}: ids`, ids, k);
      checkView(gpu.device, `${what}: squares`, squares, k);
      checkAtLeast(what, queries.length, ids, squares);
      checkApart(what, [tree.nodes, tree.ids, queries, squares], [ids]);
      checkApart(what, [tree.nodes, tree.ids, queries], [squares]);
      const [places, to, squaresTo] = [bindView(queries, dimensions), bindView(ids, k), bindView(squares, k)];
      const bound = bindTree(shape, tree);
      const words = searchWords(bound, queries, places.lead, { found: to.lead, squares: squaresTo.lead });
      recorder.dispatch(
        pipeline,
        [
          recorder.parameters(words),
          bound.nodes.resource,
          places.resource,
          bound.axes?.resource,
          bound.ids.resource,
          to.resource,
          squaresTo.resource,
        ],
        Math.ceil(queries.length / queryThreads),
      );
    },
  };
}
