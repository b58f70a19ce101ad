import type { SurfaceShape } from "../../core/layers.ts";
import type { RankDrawing } from "../api.ts";
import type { RankApi } from "../cluster/api.ts";
import type { Rank } from "../cluster/rank.ts";
import { shapeField } from "../layers/shape-surface.ts";
import { withPlainErrors } from "../plain-errors.ts";
import type { RankEngine } from "./rank-engine.ts";
import { type SurfaceJobRequest, surfaceRequest } from "./surface-job.ts";
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
    const engine = this.#engine;
    const rank = this.#rank;
    const { isUsed, tints } = this.#drawing;
    if (!rank?.isHost || rank.size < 2 || !isUsed) return undefined;
    return {
      size: rank.size,
      tints,
      makes: ({ shape }) => shape.kind !== "points",
      surface({ shape, colorBy }) {
        if (shape.kind === "points") throw new TypeError("Ranks make no points.");
        return rank.surface(requestOf(engine, shape, colorBy));
      },
    };
  }

  set drawing(drawing: RankDrawing) {
    this.#drawing = drawing;
    this.#watch();
  }

  #watch(): void {
    if (this.#rank?.size === 0) void this.#engine.kept.clear();
    const hasTeam = this.team !== undefined;
    if (hasTeam === this.#hadTeam) return;
    this.#hadTeam = hasTeam;
    this.#changed();
  }
}

/** What the ranks are asked for a layer over what is open; its clip is this page's affair. */
function requestOf(engine: RankEngine, shape: SurfaceShape, colorBy: string | undefined): SurfaceJobRequest {
  const { source } = engine.described("");
  const field = shapeField(shape);
  return surfaceRequest(source, shape, {
    text: field === undefined ? undefined : engine.described(field).text,
    colorBy: colorBy === undefined ? undefined : engine.described(colorBy).text,
  });
}
