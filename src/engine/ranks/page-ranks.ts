import { bytesPerElement } from "../../core/dtype.ts";
import { type CrinkleError, isCancelled } from "../../core/errors.ts";
import { type Field, fieldNamed } from "../../core/field.ts";
import { valueCount } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import type { ComputeSummary, HistogramSummary, RankDrawing, RunRequest } from "../api.ts";
import type { RankApi } from "../cluster/api.ts";
import type { Rank } from "../cluster/rank.ts";
import { withPlainErrors } from "../plain-errors.ts";
import type { Session } from "../session.ts";
import { askedTeam } from "./asked-team.ts";
import type { AskRanks } from "./compute-on-ranks.ts";
import { type DataSource, nameOf } from "./data-source.ts";
import type { DescribedData } from "./describe-job.ts";
import { describedFields } from "./described-text.ts";
import { type PageParts, pageEngine } from "./page-engine.ts";
import type { DescribedText, RankEngine } from "./rank-engine.ts";
import type { RankedStatistics } from "./statistics-job.ts";
import type { RankTeam } from "./team.ts";
import { isForRanks } from "./where-computed.ts";

/** What ranks are asked in a job of the page. */
export type RankQuestion<A> = (job: JobContext) => Promise<A>;

export interface PageRanksEvents {
  /** There are ranks that make layers from now on, or no longer, or they divide the grid in another way. */
  changed(): void;
  /** The ranks that have what is open have left the room. */
  lost(error: unknown): void;
}

/** The page's own rank, once it is in a room, and the ranks that make its layers while it is the host. */
export class PageRanks {
  readonly #engine: RankEngine;
  readonly #events: PageRanksEvents;
  #rank: Rank | undefined;
  readonly #drawing: () => RankDrawing;
  readonly #source: () => DataSource | undefined;
  #hadTeam = false;
  #blocks: string;
  #elsewhere: DataSource | undefined;
  #wasReached = false;

  constructor(
    { drawing, ...parts }: Omit<PageParts, "blocks"> & { drawing(): RankDrawing },
    events: PageRanksEvents,
  ) {
    this.#engine = pageEngine({ ...parts, blocks: () => drawing().blocks });
    this.#blocks = String(drawing().blocks);
    this.#drawing = drawing;
    this.#source = parts.source;
    this.#events = events;
  }

  /** The port takes the calls of `RankApi` from now on. */
  async open(port: MessagePort): Promise<void> {
    const [{ Rank }, { expose }] = await Promise.all([import("../cluster/rank.ts"), import("comlink")]);
    const rank = new Rank(this.#engine, () => this.check());
    this.#rank = rank;
    expose(withPlainErrors(rank) satisfies RankApi, port);
  }

  /** What is open, where a group or the ranks of the room alone have its values; undefined where this page has them. */
  set elsewhere(source: DataSource | undefined) {
    this.#elsewhere = source;
    this.#wasReached = source !== undefined && this.#reaches(source);
    this.#hadTeam = this.team !== undefined;
  }

  /** Whether the ranks of the room that this page hosts compute and draw what it has open: what lives here alone they do not. */
  get isShared(): boolean {
    if (!this.#rank?.isHost || this.#rank.size < 2 || !this.#source()) return false;
    return this.#drawing().isUsed;
  }

  /** Undefined where this page makes its layers itself. What ranks alone have, only they can make. */
  get team(): RankTeam | undefined {
    if (!this.isShared && !this.#elsewhere) return undefined;
    return askedTeam(this.#engine, this.#drawing(), () => this.#asked());
  }

  /** Lets go of what parts of jobs have kept for the next, and of what they have said. */
  async forget(): Promise<void> {
    this.#rank?.warn(undefined);
    await this.#engine.kept.clear();
  }

  /** What other ranks need, to compute what a text means here. Throws BadArgument where no grid is open. */
  described(text: string): DescribedText {
    return this.#engine.described(text);
  }

  /**
   * What data are that a group has, or that ranks of the room can read, for a job that has the turn here. Throws RankFailed where
   * there are no such ranks.
   */
  async describe(source: DataSource, job: JobContext): Promise<DescribedData> {
    const rank = await this.#reached(source);
    return this.#engine.lendTurn(() => rank.describe(source, job));
  }

  /** What ranks are asked for the results of a text, where they compute it; undefined where this page does. */
  results(
    session: Session,
    text: string,
    request: RunRequest = { strategy: "auto" },
  ): RankQuestion<{ keep(): ComputeSummary }> | undefined {
    if (!this.#elsewhere && !(this.isShared && isForRanks(session, text, request))) return undefined;
    const described = this.described(text);
    return async (job) => {
      const { keepResults, resultsOnRanks } = await import("./compute-on-ranks.ts");
      const found = await resultsOnRanks(session, text, described, this.#asking(job));
      return { keep: () => keepResults(session, found, request) };
    };
  }

  /** What ranks are asked for a histogram, where they count: a field whose values are here is counted here. */
  histogram(session: Session, expression: string): RankQuestion<HistogramSummary> | undefined {
    const name = withoutQuotes(expression);
    if (!this.#elsewhere) {
      if (!this.isShared) return undefined;
      const isHere = session.signatures().some((field) => field.name === name);
      const isElsewhere = session.derived.isElsewhere(name);
      if (!isElsewhere && (isHere || !isForRanks(session, expression, { strategy: "auto" })))
        return undefined;
    }
    const described = this.described(`histogram(${expression}, 64)`);
    return async (job) => {
      const { histogramOnRanks } = await import("./compute-on-ranks.ts");
      return histogramOnRanks(described, this.#asking(job));
    };
  }

  /** What ranks are asked for the values of a field that only they have. */
  values(session: Session, name: string): RankQuestion<Field> | undefined {
    const { derived, data } = session;
    const isElsewhere = this.#elsewhere !== undefined || (this.isShared && derived.isElsewhere(name));
    const field = session.signatures().find((each) => each.name === name);
    if (!isElsewhere || !field) return undefined;
    const dtype = derived.get(name) ? "f32" : (fieldNamed(data.dataSet, name)?.dtype ?? "f32");
    const bytes = bytesPerElement(dtype) * field.components * valueCount(data.dataSet.grid, field.centering);
    const request = describedFields(session, this.described("").source, [name]);
    return async (job) => (await this.#asked()).gather(request, bytes, job);
  }

  /** The values of a field that only ranks have, for a job that has the turn here; undefined of one that this page has. */
  async field(session: Session, name: string, job: JobContext): Promise<Field | undefined> {
    const question = this.values(session, name);
    return question && this.answer(question, job);
  }

  /**
   * Answers what ranks are asked in a job that has the turn here, and lends it to their parts; undefined where none of the room
   * is left to ask: this page then does it alone.
   */
  async answer<A>(question: RankQuestion<A>, job: JobContext): Promise<A | undefined> {
    try {
      return await this.#engine.lendTurn(() => question(job));
    } catch (error) {
      if (this.#elsewhere || this.isShared || isCancelled(error)) throw error;
      return undefined;
    }
  }

  #asking(job: JobContext): AskRanks {
    return (described, lost) => this.statistics(described, lost, job);
  }

  /**
   * The statistics of a text's results; `lost` gets the names of ranks that are lost meanwhile.
   * Throws RankFailed where the ranks that have the data have left the room.
   */
  async statistics(
    { source, text, results, blocks }: DescribedText,
    lost: (names: readonly string[]) => void,
    job: JobContext,
  ): Promise<RankedStatistics> {
    const rank = await this.#asked();
    return rank.statisticsOf({ source, text, wanted: results, blocks }, job, lost);
  }

  /** The page's rank, through which those are asked that have what is open. */
  async #asked(): Promise<Rank> {
    return this.#elsewhere ? this.#reached(this.#elsewhere) : (this.#rank as Rank);
  }

  async #reached(source: DataSource): Promise<Rank> {
    if (this.#rank && this.#reaches(source)) return this.#rank;
    throw await whoLeft(source);
  }

  #reaches(source: DataSource): boolean {
    if (!this.#rank?.isHost) return false;
    return source.kind === "group" ? this.#rank.hasGroup(source.id) : this.#rank.size > 1;
  }

  /** Calls what follows from a change of the room, or of how layers are drawn. */
  check(): void {
    if (this.#rank?.size === 0) void this.forget();
    const source = this.#elsewhere;
    const isReached = source !== undefined && this.#reaches(source);
    if (source && this.#wasReached && !isReached) void this.#tellLost(source);
    this.#wasReached = isReached;
    const hasTeam = this.team !== undefined;
    const blocks = String(this.#drawing().blocks);
    const isDividedAnew = hasTeam && blocks !== this.#blocks;
    this.#blocks = blocks;
    if (hasTeam === this.#hadTeam && !isDividedAnew) return;
    this.#hadTeam = hasTeam;
    this.#events.changed();
  }

  async #tellLost(source: DataSource): Promise<void> {
    this.#events.lost(await whoLeft(source));
  }
}

/** Says that the ranks that have data are not in the room, or that this page hosts none. */
async function whoLeft(source: DataSource): Promise<CrinkleError> {
  const { groupIsGone, noOtherRanks } = await import("./gone.ts");
  return source.kind === "group" ? groupIsGone(source.name) : noOtherRanks(nameOf(source));
}
