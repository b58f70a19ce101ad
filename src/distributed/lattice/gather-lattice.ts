/** States of divided lattices on rank 0. */
import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import type { LayerDivision, RankLayers } from "../../core/lattice/layers.ts";
import type { LatticeArray, LatticeArrays, LatticePlan } from "../../core/lattice/model.ts";
import { fieldNamed } from "../../core/lattice/models.ts";
import type { LatticePart } from "../../core/lattice/part.ts";

type Messages = Pick<Communicator, "rank" | "send" | "recv">;

const fieldTag = 2;
const arrayTag = 3;

/** Values that are sent at a time. */
const valuesAtATime = 1 << 24;

const typed = { int8: Int8Array, float32: Float32Array } as const;
const words = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** A rank's layers, some at a time. */
function* groupsOf({ first, end }: RankLayers, most: number): Generator<RankLayers> {
  for (let at = first; at < end; at += most) yield { first: at, end: Math.min(end, at + most) };
}

/**
 * Puts together on rank 0 what ranks make of their layers, in rank order, some layers at a time; each has as many values in a layer. Rank 0
 * holds the whole and one such piece.
 */
async function gather<A extends Int8Array<ArrayBuffer> | LatticeArray>(
  communicator: Messages,
  { ranks }: LayerDivision,
  whole: A | undefined,
  valuesPerLayer: number,
  tag: number,
  make: (layers: RankLayers) => Promise<A>,
): Promise<A | undefined> {
  const { rank } = communicator;
  const most = Math.max(1, Math.floor(valuesAtATime / valuesPerLayer));
  if (!whole) {
    if (rank < ranks.length)
      for (const layers of groupsOf(ranks[rank], most)) await communicator.send(0, await make(layers), tag);
    return undefined;
  }
  for (const [from, own] of ranks.entries()) {
    for (const layers of groupsOf(own, most)) {
      const values = from === 0 ? await make(layers) : (await communicator.recv<A>(from, tag)).data;
      whole.set(values, layers.first * valuesPerLayer);
    }
  }
  return whole;
}

/** A field of the plan's on rank 0. Throws UnknownName. */
export async function gatherField(
  communicator: Messages,
  plan: LatticePlan,
  division: LayerDivision,
  part: LatticePart | undefined,
  name: string,
): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> | undefined> {
  const { dtype, components } = fieldNamed(plan, name);
  const sites = countOf(plan.lengths);
  if (division.ranks.length === 1) return part?.field(name, { first: 0, count: sites });
  const perLayer = sites / division.layers;
  const whole = communicator.rank === 0 ? new typed[dtype](sites * components) : undefined;
  return gather(communicator, division, whole, perLayer * components, fieldTag, ({ first, end }) =>
    partOf(part).field(name, { first: first * perLayer, count: (end - first) * perLayer }),
  );
}

/**
 * A field of the plan's on this rank's own layers and on the first of the next rank, as pieces of grids have them; undefined where it has no
 * layers. All ranks call it. Throws UnknownName.
 */
export async function fieldOfLayers(
  communicator: Messages,
  plan: LatticePlan,
  { ranks, layers }: LayerDivision,
  part: LatticePart | undefined,
  name: string,
): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> | undefined> {
  const { dtype, components } = fieldNamed(plan, name);
  const { rank } = communicator;
  if (rank >= ranks.length) return undefined;
  const sites = countOf(plan.lengths);
  if (ranks.length === 1) return partOf(part).field(name, { first: 0, count: sites });
  const perLayer = sites / layers;
  const { first, end } = ranks[rank];
  const own = await partOf(part).field(name, { first: first * perLayer, count: (end - first) * perLayer });
  const border = own.slice(0, perLayer * components);
  const sent = rank > 0 ? communicator.send(rank - 1, border, fieldTag) : undefined;
  // Its failure is thrown where it is awaited, which a failing receive would keep from happening.
  sent?.catch(() => {});
  let values = own;
  if (rank + 1 < ranks.length) {
    const { data } = await communicator.recv<typeof own>(rank + 1, fieldTag);
    values = new typed[dtype](own.length + data.length);
    values.set(own);
    values.set(data, own.length);
  }
  await sent;
  return values;
}

/** All arrays on rank 0. */
export async function gatherArrays(
  communicator: Messages,
  plan: LatticePlan,
  division: LayerDivision,
  part: LatticePart | undefined,
): Promise<LatticeArrays | undefined> {
  const { elementsPerLayer } = division;
  const arrays: Record<string, LatticeArray> = {};
  for (const [array, type] of Object.entries(plan.arrays)) {
    const whole = communicator.rank === 0 ? new Uint32Array(plan.length) : undefined;
    await gather(communicator, division, whole, elementsPerLayer, arrayTag, ({ first, end }) =>
      partOf(part).read([
        { array, first: first * elementsPerLayer, count: (end - first) * elementsPerLayer },
      ]),
    );
    if (whole) arrays[array] = new words[type](whole.buffer);
  }
  return communicator.rank === 0 ? arrays : undefined;
}

/** The part of a rank that has layers. */
function partOf(part: LatticePart | undefined): LatticePart {
  if (part) return part;
  throw new TypeError("This rank has no layers.");
}
