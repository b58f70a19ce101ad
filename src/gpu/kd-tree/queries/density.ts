import { badArgument } from "../../../core/primitives/checks.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, checkApart, checkAtLeast, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { candidates, noNode } from "./candidates.ts";
import { maxNearest } from "./nearest.ts";
import { queryArguments, queryHead, queryThreads, type TreeShape, traverse, treeCode } from "./traversal.ts";
import { bindTree, checkTree, searchWords, type TreeViews } from "./tree-views.ts";

export interface DensityOperands {
  readonly tree: TreeViews;
  /** f32: one a point, where the tree's ids tell that the point was. */
  readonly densities: View;
}

export interface Density {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: DensityOperands): void;
}

/** The volume, or area, of the ball of so great a squared radius. */
const ball = (dimensions: number, square: string): string =>
  dimensions === 2 ? `(${Math.PI} * ${square})` : `(${(4 / 3) * Math.PI} * ${square} * sqrt(${square}))`;

/** The point itself is found, too, and is not counted. */
const densityCode = (shape: TreeShape, k: number): string => {
  const found = candidates(k + 1);
  return /* wgsl */ `
${treeCode(shape)}
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> densities: array<u32>;

@compute @workgroup_size(${queryThreads})
fn find_density(${queryArguments}) {
  ${queryHead}
  ${found.begin}
  ${traverse(shape.dimensions, found.bound, "<", found.visit)}
  ${found.end}
  let others = min(${k}u, search.count - 1u);
  ${
    found.isIndexed
      ? `let square = ${found.at("others").square};`
      : `var square = ${found.at(0).square};
  ${Array.from({ length: k }, (_, i) => `if (${found.at(i + 1).node} != ${noNode}) { square = ${found.at(i + 1).square}; }`).join("\n  ")}`
  }
  let volume = ${ball(shape.dimensions, "square")};
  // A point alone has no density, and points at one place have an infinite one.
  var density = 0u;
  if (others > 0u) { density = 0x7f800000u; }
  if (volume > 0.0) { density = bitcast<u32>(f32(others) / volume); }
  densities[search.found_lead + ids[search.ids_lead + query]] = density;
}
`;
};

/**
 * The local density at each point of a tree: k / V, where V is the volume (in two dimensions the area) of the ball
 * around it that reaches to the kth nearest of the other points, 1 to 63. Where there are fewer others, all of them
 * count; ∞ where k of them are at the same place, 0 for a point alone. Throws BadArgument for other k.
 */
export async function createDensity(gpu: GpuContext, shape: TreeShape, k: number): Promise<Density> {
  // The point itself is found, too.
  const most = maxNearest - 1;
  if (!(Number.isInteger(k) && k >= 1 && k <= most)) {
    throw badArgument(
      `The local density by the ${k} nearest other points was asked for.`,
      `Ask for 1 to ${most}.`,
    );
  }
  const entryPoint = "find_density";
  const code = densityCode(shape, k);
  const pipeline = await gpu.pipelines.get({ label: `KD-tree: density of ${k}`, code, entryPoint });
  return {
    record(recorder, { tree, densities }) {
      const what = "A local density";
      checkTree(gpu.device, what, shape, tree);
      checkView(gpu.device, `${what}: densities`, densities);
      checkAtLeast(what, tree.nodes.length, densities);
      checkApart(what, [tree.nodes, tree.ids, ...(tree.axes ? [tree.axes] : [])], [densities]);
      const bound = bindTree(shape, tree);
      const to = bindView(densities);
      recorder.dispatch(
        pipeline,
        [
          recorder.parameters(searchWords(bound, tree.nodes, bound.nodes.lead, { found: to.lead })),
          bound.nodes.resource,
          bound.nodes.resource,
          bound.axes?.resource,
          bound.ids.resource,
          to.resource,
        ],
        Math.ceil(tree.nodes.length / queryThreads),
      );
    },
  };
}
