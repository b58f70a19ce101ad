import type { JobContext } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { RankDrawing } from "../api.ts";
import type { RankApi } from "../cluster/api.ts";
import type { Rank } from "../cluster/rank.ts";
import { withPlainErrors } from "../plain-errors.ts";
import type { GroupSource } from "./data-source.ts";
import type { DescribedData } from "./describe-job.ts";
import type { DrawnByRanks } from "./draw-job.ts";
import { type PageParts, pageEngine } from "./page-engine.ts";
import type { DescribedText, RankEngine } from "./rank-engine.ts";
import type { RankedStatistics } from "./statistics-job.ts";
import type { RankTeam, WantedOfRanks } from "./team.ts";

export interface PageRanksEvents {
  /** There are ranks that make layers from now on, or no longer. */
  changed(): void;
  /** The group of ranks that has what is open has left the room. */
  lost(error: unknown): void;
}

/** The page's own rank, once it is in a room, and the ranks that make its layers while it is the host. */
export class PageRanks {
  readonly #engine: RankEngine;
  readonly #events: PageRanksEvents;
  #rank: Rank | undefined;
  readonly #drawing: () => RankDrawing;
  #hadTeam = false;
  #group: GroupSource | undefined;
  #hadGroup = false;

  constructor({ drawing, ...parts }: PageParts & { drawing(): RankDrawing }, events: PageRanksEvents) {
    this.#engine = pageEngine(parts);
    this.#drawing = drawing;
    this.#events = events;
  }

  /** The port takes the calls of `RankApi` from now on. */
  async open(port: MessagePort): Promise<void> {
    const [{ Rank }, { expose }] = await Promise.all([import("../cluster/rank.ts"), import("comlink")]);
    const rank = new Rank(this.#engine, () => this.check());
    this.#rank = rank;
    expose(withPlainErrors(rank) satisfies RankApi, port);
  }

  /** The group that has what is open; undefined where this page has it. */
  get group(): GroupSource | undefined {
    return this.#group;
  }

  set group(group: GroupSource | undefined) {
    this.#group = group;
    this.#hadGroup = this.#hasGroup();
    this.#hadTeam = this.team !== undefined;
  }

  /** Undefined where this page makes its layers itself. What a group has, only its ranks can make. */
  get team(): RankTeam | undefined {
    const rank = this.#rank;
    const { isUsed, tints } = this.#drawing();
    const isShared = rank?.isHost && rank.size > 1 && isUsed;
    if (!isShared && !this.#group) return undefined;
    return {
      tints,
      makes: ({ shape }) => shape.kind !== "points",
      show: (layer, wanted) => this.#show(layer, wanted),
    };
  }

  /** Lets go of what parts of jobs have kept for the next. */
  async forget(): Promise<void> {
    await this.#engine.kept.clear();
  }

  /** What ranks are told, so that they compute what a text means here. Throws BadArgument where no grid is open. */
  described(text: string): DescribedText {
    return this.#engine.described(text);
  }

  /** What a group's data are, for a job that has the turn here. Throws RankFailed where it has left the room. */
  async describe(source: GroupSource, job: JobContext): Promise<DescribedData> {
    const rank = await this.#reached(source);
    return this.#engine.lendTurn(() => rank.describe(source, job));
  }

  /** The statistics of a statement of a text, the last one by default, over what a group has, for a job that has the turn here. */
  async statistics(
    source: GroupSource,
    text: string,
    wanted: string | null,
    job: JobContext,
  ): Promise<RankedStatistics> {
    const rank = await this.#reached(source);
    return this.#engine.lendTurn(() => rank.statisticsOf({ source, text, wanted }, job));
  }

  async #show(layer: Layer, wanted: WantedOfRanks): Promise<DrawnByRanks> {
    const { drawRequest, unpacked } = await import("./layer-request.ts");
    const request = drawRequest(this.#engine, layer, wanted, this.#drawing());
    const rank = this.#group ? await this.#reached(this.#group) : (this.#rank as Rank);
    return { ...unpacked(await rank.draw(request)), view: wanted.view };
  }

  async #reached({ id, name }: GroupSource): Promise<Rank> {
    if (this.#rank?.isHost && this.#rank.hasGroup(id)) return this.#rank;
    const { groupIsGone } = await import("./group-job.ts");
    throw groupIsGone(name);
  }

  #hasGroup(): boolean {
    return this.#group !== undefined && (this.#rank?.hasGroup(this.#group.id) ?? false);
  }

  /** Calls what follows from a change of the room, or of how layers are drawn. */
  check(): void {
    if (this.#rank?.size === 0) void this.forget();
    const [hadGroup, hasGroup] = [this.#hadGroup, this.#hasGroup()];
    this.#hadGroup = hasGroup;
    if (hadGroup && !hasGroup) void this.#tellLost();
    const hasTeam = this.team !== undefined;
    if (hasTeam === this.#hadTeam) return;
    this.#hadTeam = hasTeam;
    this.#events.changed();
  }

  async #tellLost(): Promise<void> {
    const { groupIsGone } = await import("./group-job.ts");
    this.#events.lost(groupIsGone(this.#group?.name));
  }
}
