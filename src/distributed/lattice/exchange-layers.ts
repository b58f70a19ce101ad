/** Layers of lattices between the ranks that have them and those that hold copies of them. */
import type { Communicator } from "../../cluster/communicator/communicator.ts";
import type { LayerDivision } from "../../core/lattice/layers.ts";
import type { LatticePart, Piece } from "../../core/lattice/part.ts";
import type { Packing } from "../api.ts";
import { packed } from "../exchange.ts";

/** Arrays with the layers on both sides of a rank's own that are wanted of each. */
export type WantedLayers = readonly (readonly [array: string, layers: number])[];

const layersTag = 1;

/** The pieces of what rank `to` wants that rank `from` has, in an order that both know. */
function piecesBetween(
  { layers, elementsPerLayer, ranks }: LayerDivision,
  wanted: WantedLayers,
  from: number,
  to: number,
): Piece[] {
  const [own, other] = [ranks[from], ranks[to]];
  return wanted.flatMap(([array, depth]) =>
    [other.first - depth, other.end].flatMap((start) =>
      [-layers, 0, layers].flatMap((turn): Piece[] => {
        const first = Math.max(own.first, start + turn);
        const end = Math.min(own.end, start + depth + turn);
        if (end <= first) return [];
        return [{ array, first: first * elementsPerLayer, count: (end - first) * elementsPerLayer }];
      }),
    ),
  );
}

const countOfPieces = (pieces: readonly Piece[]): number => pieces.reduce((sum, { count }) => sum + count, 0);

/**
 * Every rank that has layers gets the layers that it wants, in one message from each of the ranks that have them. Resolves to the milliseconds that
 * this took after the rank's own layers had been read.
 */
export async function exchangeLayers(
  communicator: Pick<Communicator, "rank" | "send" | "recv"> & Packing,
  part: LatticePart,
  division: LayerDivision,
  wanted: WantedLayers,
): Promise<number> {
  const { rank } = communicator;
  const others = [...division.ranks.keys()].filter((other) => other !== rank);
  const between = (piecesOf: (other: number) => Piece[]) =>
    others.map((other) => ({ other, pieces: piecesOf(other) })).filter(({ pieces }) => pieces.length > 0);
  const sent = between((other) => piecesBetween(division, wanted, rank, other));
  const received = between((other) => piecesBetween(division, wanted, other, rank));
  const words = await part.read(sent.flatMap(({ pieces }) => pieces));
  const start = performance.now();
  const messages = packed(communicator, () => {
    let at = 0;
    return sent.map(({ other, pieces }) => {
      const first = at;
      at += countOfPieces(pieces);
      return { other, words: words.slice(first, at) };
    });
  });
  await Promise.all([
    ...messages.map(({ other, words }) => communicator.send(other, words, layersTag)),
    ...received.map(async ({ other, pieces }) => {
      const { data } = await communicator.recv<Uint32Array<ArrayBuffer>>(other, layersTag);
      packed(communicator, () => part.write(pieces, data));
    }),
  ]);
  return performance.now() - start;
}
