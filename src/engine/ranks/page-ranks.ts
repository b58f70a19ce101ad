import type { Layer } from "../../core/layers.ts";
import type { RankDrawing } from "../api.ts";
import type { RankApi } from "../cluster/api.ts";
import type { Rank } from "../cluster/rank.ts";
import { withPlainErrors } from "../plain-errors.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { SurfaceJobRequest } from "./surface-job.ts";
import type { RankTeam } from "./team.ts";

/** The page's own rank, once it is in a room, and the ranks that make its layers while it is the host. */
export class PageRanks {
  readonly #engine: RankEngine;
  readonly #changed: () => void;
  #rank: Rank | undefined;
  #drawing: RankDrawing = { isUsed: true, tints: false };
  #hadTeam = false;

  /** `changed` is called where there are ranks that make layers from now on, or no longer. */
  constructor(engine: RankEngine, changed: () => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** The port takes the calls of `RankApi` from now on. */
  async open(port: MessagePort): Promise<void> {
    const [{ Rank }, { expose }] = await Promise.all([import("../cluster/rank.ts"), import("comlink")]);
    const rank = new Rank(this.#engine, () => this.#watch());
    this.#rank = rank;
    expose(withPlainErrors(rank) satisfies RankApi, port);
  }

  /** Undefined where this page makes its layers itself. */
  get team(): RankTeam | undefined {
    const rank = this.#rank;
    const { isUsed, tints } = this.#drawing;
    if (!rank?.isHost || rank.size < 2 || !isUsed) return undefined;
    return {
      size: rank.size,
      tints,
      makes: ({ shape }) => shape.kind === "isosurface" && shape.isovalues.length === 1,
      surface: (layer) => rank.surface(requestOf(this.#engine, layer)),
    };
  }

  set drawing(drawing: RankDrawing) {
    this.#drawing = drawing;
    this.#watch();
  }

  #watch(): void {
    const hasTeam = this.team !== undefined;
    if (hasTeam === this.#hadTeam) return;
    this.#hadTeam = hasTeam;
    this.#changed();
  }
}

/** What the ranks are asked for a layer: its clip is this page's affair. */
function requestOf(engine: RankEngine, { shape, colorBy }: Layer): SurfaceJobRequest {
  if (shape.kind !== "isosurface") throw new TypeError(`Ranks make no ${shape.kind}.`);
  const { source, text } = engine.described(shape.field);
  return {
    source,
    text,
    wanted: null,
    isovalue: shape.isovalues[0],
    topology: shape.topology,
    colorBy: colorBy === undefined ? null : engine.described(colorBy).text,
  };
}
