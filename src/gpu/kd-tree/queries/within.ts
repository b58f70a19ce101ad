import { badArgument } from "../../../core/primitives/checks.ts";
import { add } from "../../../core/primitives/operators.ts";
import type { Bindings, Recorder } from "../../compute/recorder.ts";
import { bindView, checkApart, checkAtLeast, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../../primitives/base/strategy.ts";
import { createScan } from "../../primitives/scan/scan.ts";
import { queryArguments, queryHead, queryThreads, type TreeShape, traverse, treeCode } from "./traversal.ts";
import { bindTree, checkTree, searchWords, type TreeViews } from "./tree-views.ts";

export interface CountOperands {
  readonly tree: TreeViews;
  /** f32, a coordinate for each dimension, interleaved. */
  readonly queries: View;
  /** Points at this distance count, too. */
  readonly radius: number;
  /** u32: how many points each query has. */
  readonly counts: View;
}

export interface ListOperands extends CountOperands {
  /** u32: where each query's points begin in `ids`; the last query's beginning and number give the number of all. */
  readonly starts: View;
  /** u32: indices as the tree's ids tell them, in no order, query by query. What it has no room for is left out. */
  readonly ids: View;
}

/** Points within a radius of each query. */
export interface Within {
  /** Encodes counting. Throws BadArgument or TooLarge before it records anything, as does the other. */
  recordCounts(recorder: Recorder, operands: CountOperands): void;
  /** Encodes counting, a scan of the counts, and writing the points. */
  recordLists(recorder: Recorder, operands: ListOperands): void;
}

const withinCode = (shape: TreeShape, isList: boolean): string => /* wgsl */ `
${treeCode(shape)}
${
  isList
    ? /* wgsl */ `
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> found: array<u32>;`
    : "@group(0) @binding(6) var<storage, read_write> counts: array<u32>;"
}

@compute @workgroup_size(${queryThreads})
fn find_within(${queryArguments}) {
  ${queryHead}
  var at = ${isList ? "starts[search.starts_lead + query]" : "0u"};
  ${traverse(
    shape.dimensions,
    "search.square",
    "<=",
    isList
      ? /* wgsl */ `
    if (square <= search.square) {
      if (at < search.room) { found[search.found_lead + at] = ids[search.ids_lead + node]; }
      at++;
    }`
      : "if (square <= search.square) { at++; }",
  )}
  ${isList ? "" : "counts[search.found_lead + query] = at;"}
}
`;

/** Counts and lists of the points within a radius of each query. */
export async function createWithin(
  gpu: GpuContext,
  shape: TreeShape,
  strategy: PrimitiveStrategy,
): Promise<Within> {
  const compile = (label: string, isList: boolean) =>
    gpu.pipelines.get({
      label: `KD-tree: ${label} within`,
      code: withinCode(shape, isList),
      entryPoint: "find_within",
    });
  const [count, list, scan] = await Promise.all([
    compile("count", false),
    compile("list", true),
    createScan(gpu, { type: "u32", operator: add, exclusive: true }, strategy),
  ]);
  const what = "A search within a radius";
  const check = ({ tree, queries, radius, counts }: CountOperands) => {
    if (!(radius >= 0)) throw badArgument(`A radius was ${radius}.`, "Radii are numbers from 0 on.");
    checkTree(gpu.device, what, shape, tree);
    checkView(gpu.device, `${what}: queries`, queries, shape.dimensions);
    checkView(gpu.device, `${what}: counts`, counts);
    checkAtLeast(what, queries.length, counts);
    checkApart(what, [tree.nodes, queries], [counts]);
  };
  const find = (
    recorder: Recorder,
    pipeline: GPUComputePipeline,
    { tree, queries, radius }: CountOperands,
    found: View,
    starts?: View,
  ) => {
    const bound = bindTree(shape, tree);
    const [places, to] = [bindView(queries, shape.dimensions), bindView(found)];
    const from = starts && bindView(starts);
    const words = searchWords(bound, queries, places.lead, {
      found: to.lead,
      starts: from?.lead,
      room: found.length,
      square: Math.fround(radius) ** 2,
    });
    const lists: Bindings = from ? [bound.ids.resource, from.resource] : [undefined, undefined];
    recorder.dispatch(
      pipeline,
      [
        recorder.parameters(words),
        bound.nodes.resource,
        places.resource,
        bound.axes?.resource,
        ...lists,
        to.resource,
      ],
      Math.ceil(queries.length / queryThreads),
    );
  };
  return {
    recordCounts(recorder, operands) {
      check(operands);
      find(recorder, count, operands, operands.counts);
    },
    recordLists(recorder, operands) {
      const { tree, queries, counts, starts, ids } = operands;
      check(operands);
      checkView(gpu.device, `${what}: starts`, starts);
      checkView(gpu.device, `${what}: ids`, ids);
      checkAtLeast(what, queries.length, starts);
      checkApart(what, [tree.nodes, queries, counts], [starts]);
      checkApart(what, [tree.nodes, tree.ids, queries, starts], [ids]);
      find(recorder, count, operands, counts);
      const own = { ...counts, length: queries.length };
      scan.record(recorder, { input: own, output: { ...starts, length: queries.length } });
      find(recorder, list, operands, ids, starts);
    },
  };
}
