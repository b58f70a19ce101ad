/**
 * The layers of a rank that others want next, computed ahead of the rest: they are read, sent and received while the device computes
 * the rest, so that it never waits for an exchange.
 */
import { CrinkleError } from "../../core/errors.ts";
import {
  type ElementRange,
  elementsAround,
  type LayerDivision,
  type RankLayers,
} from "../../core/lattice/layers.ts";
import type { AheadPart, LatticePart, PassConstants, Piece } from "../../core/lattice/part.ts";
import type { Stretch } from "../../core/lattice/stretches.ts";

/**
 * Layers that are exchanged at a time, at most, as a part of a rank's own. With d of n layers, d / n of the work is done twice, and more of it
 * while borders are ahead.
 */
const mostShare = 1 / 32;

/** The part to begin with. */
const fewShare = 1 / 128;

interface Border {
  readonly part: AheadPart;
  /** The border's layers, as far in as `width` of them. */
  readonly layers: (width: number) => RankLayers;
}

export class BordersAhead {
  readonly #division: LayerDivision;
  readonly #borders: readonly Border[];
  /** Layers to exchange at a time, to begin with and at most. */
  readonly few: number;
  readonly most: number;

  private constructor(
    division: LayerDivision,
    borders: readonly Border[],
    { few, most }: Pick<BordersAhead, "few" | "most">,
  ) {
    this.#division = division;
    this.#borders = borders;
    this.few = few;
    this.most = most;
  }

  /** Undefined where there is nothing to gain, too little to be ahead of, or no memory: then exchanges wait. */
  static async open(
    division: LayerDivision,
    { first, end }: RankLayers,
    { openAhead }: LatticePart,
    depthOfSweep: number,
  ): Promise<BordersAhead | undefined> {
    const least = Math.min(...division.ranks.map((layers) => layers.end - layers.first));
    const few = Math.floor(fewShare * least);
    const most = Math.min(division.ghosts, Math.floor(mostShare * least));
    if (!openAhead || division.ranks.length === 1 || most < depthOfSweep) return undefined;
    const bands = [
      (width: number) => ({ first, end: first + width }),
      (width: number) => ({ first: end - width, end }),
    ];
    const opened = await Promise.allSettled(
      bands.map(async (layers) => ({
        layers,
        part: await openAhead(elementsAround(division, layers(most), most)),
      })),
    );
    const borders = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const failed = opened.find((each) => each.status === "rejected");
    if (!failed) return new BordersAhead(division, borders, { few, most });
    for (const { part } of borders) part.dispose();
    if (isMemory(failed.reason)) return undefined;
    throw failed.reason;
  }

  /**
   * Computes a stretch, from the present state on, in so many layers along both borders; `constants` are those of each of its steps. Resolves to what
   * reads pieces of these layers as they are afterwards.
   */
  compute(
    { steps }: Stretch,
    width: number,
    constants: (step: number) => PassConstants,
  ): LatticePart["read"] {
    const division = this.#division;
    const bands = this.#borders.map(({ part, layers }) => {
      const own = layers(width);
      part.follow();
      return { part, own, elements: elementsAround(division, own, 0) };
    });
    // Step by step, so that a device can compute both at the same time.
    for (const [k, { pass, extent }] of steps.entries()) {
      if (!pass) continue;
      for (const { part, own } of bands)
        part.change(pass, elementsAround(division, own, extent), constants(k));
    }
    return async (pieces) => {
      const placed = pieces.map((piece) => bands.findIndex(({ elements }) => contains(elements, piece)));
      const read = await Promise.all(
        bands.map(({ part }, band) => part.read(pieces.filter((_, k) => placed[k] === band))),
      );
      const words = new Uint32Array(pieces.reduce((sum, { count }) => sum + count, 0));
      const taken = bands.map(() => 0);
      let at = 0;
      for (const [k, { count }] of pieces.entries()) {
        const band = placed[k];
        words.set(read[band].subarray(taken[band], taken[band] + count), at);
        taken[band] += count;
        at += count;
      }
      return words;
    };
  }

  dispose(): void {
    for (const { part } of this.#borders) part.dispose();
  }
}

const isMemory = (error: unknown): boolean =>
  error instanceof CrinkleError && (error.tag === "OutOfMemory" || error.tag === "TooLarge");

const contains = ({ first, count }: ElementRange, piece: Piece): boolean =>
  piece.first >= first && piece.first + piece.count <= first + count;
