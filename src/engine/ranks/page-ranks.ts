import type { RankDrawing } from "../api.ts";
import type { RankApi } from "../cluster/api.ts";
import type { Rank } from "../cluster/rank.ts";
import { withPlainErrors } from "../plain-errors.ts";
import type { RankEngine } from "./rank-engine.ts";
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
      async surface({ shape, colorBy }) {
        if (shape.kind === "points") throw new TypeError("Ranks make no points.");
        const { layerRequest } = await import("./layer-request.ts");
        return rank.surface(layerRequest(engine, shape, colorBy));
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
