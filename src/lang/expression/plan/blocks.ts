import type { DataSet, Field } from "../../../core/field.ts";
import { type Grid, valueDims } from "../../../core/grid.ts";
import { subgrid } from "../../../core/subgrid.ts";
import type { Network, NetworkOutput, NodeId } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { inputsOf } from "./stages.ts";

/** Layers of cells along z that one block computes, and the part of the grid that it reads for them. */
export interface Block {
  /** Node planes read: from … to, the last included. */
  readonly from: number;
  readonly to: number;
  /** First layer and the one behind the last. */
  readonly first: number;
  readonly end: number;
}

/** Layers of cells along z; a flat grid has one. */
export const layersOf = (grid: Grid): number => Math.max(1, grid.dims[2] - 1);

/**
 * Layers beyond a block that its values depend on: the radii of stencils add up on the way to the fields. Values that are moved are read
 * anywhere in the grid, or sent by whoever has them, each from its own block.
 */
export function ghostLayers(
  network: Network,
  outputs: readonly NetworkOutput[],
  moved: "read" | "sent" = "read",
): number {
  const order = inputsFirst(
    outputs.map(({ node }) => node),
    (id) => inputsOf(network.nodes[id]),
  );
  const reach = new Map<NodeId, number>();
  for (const id of order.reverse()) {
    const node = network.nodes[id];
    const own = node.kind === "stencil" ? node.overload.radius : node.kind === "recenter" ? 1 : 0;
    const isSent = moved === "sent" && node.kind === "stencil" && node.filter.move !== undefined;
    const needed = isSent ? 0 : (reach.get(id) ?? 0) + own;
    for (const input of inputsOf(node)) {
      reach.set(input, Math.max(reach.get(input) ?? 0, needed));
    }
  }
  return Math.max(0, ...reach.values());
}

/** Blocks of so many layers, and the rest. */
export function blocksOf(grid: Grid, layers: number, ghosts: number): Block[] {
  const all = layersOf(grid);
  const top = grid.dims[2] - 1;
  return Array.from({ length: Math.ceil(all / layers) }, (_, b) => {
    const first = b * layers;
    const end = Math.min(all, first + layers);
    return { first, end, from: Math.max(0, first - ghosts), to: Math.min(top, end + ghosts) };
  });
}

/** The grid between a block's planes. */
export const blockGrid = (grid: Grid, { from, to }: Block): Grid =>
  subgrid(grid, { first: [0, 0, from], end: [grid.dims[0], grid.dims[1], to + 1] });

/** A block of a data set, without copies: planes of values lie one behind the other. */
export function blockOf(dataSet: DataSet, fields: readonly string[], block: Block): DataSet {
  const grid = blockGrid(dataSet.grid, block);
  const parts = dataSet.fields
    .filter(({ name }) => fields.includes(name))
    .map((field): Field => {
      const plane = planeLength(dataSet.grid, field);
      const [, , planes] = valueDims(grid, field.centering);
      return {
        ...field,
        data: field.data.subarray(block.from * plane, (block.from + planes) * plane) as Field["data"],
      };
    });
  return { ...dataSet, grid, fields: parts };
}

/** Copies what a block computes of a field to where it belongs in the whole: its own planes, not the ghosts'. */
export function putBlock(whole: Field, grid: Grid, part: Field, block: Block): void {
  const plane = planeLength(grid, whole);
  const isLast = block.end === layersOf(grid);
  const end = whole.centering === "node" && isLast ? grid.dims[2] : block.end;
  const own = part.data.subarray((block.first - block.from) * plane, (end - block.from) * plane);
  (whole.data as Float32Array).set(own as Float32Array, block.first * plane);
}

function planeLength(grid: Grid, { centering, components }: Field): number {
  const [nx, ny] = valueDims(grid, centering);
  return nx * ny * components;
}
