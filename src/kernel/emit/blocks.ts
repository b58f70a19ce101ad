/** The parts of inputs at hand, as generated code takes them. */
import type { KernelInput, KernelProgram, Load } from "../ir.ts";
import {
  elementCount,
  type InputBlock,
  type KernelArray,
  type KernelCall,
  type ResultLayout,
  type Triple,
} from "../layout.ts";

/** An input's block with all of its numbers; a row is a grid of one line. */
export interface BlockNumbers {
  readonly words: KernelArray;
  readonly lead: number;
  readonly elementStride: number;
  readonly componentStride: number;
  readonly whole: Triple;
  readonly origin: Triple;
  readonly extents: Triple;
}

/** Where a part is, with what the shape says of it. */
interface Placed extends Pick<BlockNumbers, "whole" | "origin" | "extents"> {
  readonly kind: "row" | "grid";
  readonly isRing: boolean;
}

/** What generated code is specialized to, beside the program: compared as text. */
export interface BlockShape {
  readonly kind: "row" | "grid";
  /** Left open where it differs from data set to data set. */
  readonly elementStride: number | undefined;
  readonly componentStride: number | undefined;
  /** Whether word 0 is the first component of the whole's first element. */
  readonly isFromStart: boolean;
  /** A row whose part may go on from the whole's last element to its first. */
  readonly isRing: boolean;
}

export interface CallShape {
  readonly space: "row" | "grid" | "list" | "list in a grid";
  readonly blocks: Readonly<Record<string, BlockShape>>;
  /** Of outputs that have a layout. */
  readonly results: Readonly<Record<string, Pick<ResultLayout, "stride" | "componentStride">>>;
}

export interface ShapedCall {
  readonly shape: CallShape;
  readonly blocks: Readonly<Record<string, BlockNumbers>>;
}

/** Whether an input is read at flat positions, or at places in a grid. */
function isReadFlat(input: KernelInput, loads: readonly Load[], isGrid: boolean): boolean {
  const { kind } = input.access;
  if (kind === "own") return !isGrid;
  return kind === "map" || kind === "all" || loads.every(({ indices }) => indices.length === 1);
}

export function shapeOf(
  program: KernelProgram,
  loads: ReadonlyMap<string, readonly Load[]>,
  call: KernelCall,
): ShapedCall {
  const isGrid = call.space.kind === "grid";
  const blocks: Record<string, BlockNumbers> = {};
  const shapes: Record<string, BlockShape> = {};
  for (const [name, input] of Object.entries(program.inputs)) {
    const reads = loads.get(name);
    if (!reads) continue;
    const { components = 1 } = input;
    const given = call.inputs[name];
    const { kind, whole, origin, extents, isRing } = partOf(given, isReadFlat(input, reads, isGrid));
    const { words, lead = 0, elementStride = components, componentStride = 1 } = given;
    blocks[name] = { words, lead, elementStride, componentStride, whole, origin, extents };
    shapes[name] = {
      kind,
      elementStride: elementStride === components || elementStride === 1 ? elementStride : undefined,
      componentStride: componentStride === 1 ? 1 : undefined,
      isFromStart: lead === 0 && origin.every((first) => first === 0),
      isRing,
    };
  }
  const list = call.at && (call.at.grid ? "list in a grid" : "list");
  const results = Object.fromEntries(
    Object.entries(call.layouts ?? {}).map(([name, { stride, componentStride }]) => [
      name,
      { stride, componentStride },
    ]),
  );
  return { shape: { space: list ?? call.space.kind, blocks: shapes, results }, blocks };
}

/** A grid of which all is at hand is a row to whoever reads it flat. */
function partOf({ part }: InputBlock, isReadFlat: boolean): Placed {
  if (part.kind === "row") {
    const { whole, first, length, isRing = false } = part;
    return rowOf(whole, first, length, isRing);
  }
  const count = part.whole[0] * part.whole[1] * part.whole[2];
  return isReadFlat && elementCount(part) === count ? rowOf(count, 0, count) : { ...part, isRing: false };
}

const rowOf = (whole: number, first: number, length: number, isRing = false): Placed => ({
  kind: "row",
  whole: [whole, 1, 1],
  origin: [first, 0, 0],
  extents: [length, 1, 1],
  isRing,
});
