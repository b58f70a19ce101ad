import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { yieldToEventLoop } from "../../core/job.ts";
import { brushConstants, brushOf } from "../../core/lattice/brush.ts";
import {
  divideLayers,
  type ElementRange,
  elementsAround,
  type LayerDivision,
  type RankLayers,
} from "../../core/lattice/layers.ts";
import { arrayNamed, type LatticePlan, type Numbers, type Pass } from "../../core/lattice/model.ts";
import { startNamed } from "../../core/lattice/models.ts";
import type { LatticePart, PassConstants } from "../../core/lattice/part.ts";
import type { SimulationOptions, Stroke } from "../../core/lattice/simulation.ts";
import { type KnownLayers, type Stretch, Stretches } from "../../core/lattice/stretches.ts";
import type { Packing } from "../api.ts";
import { packed } from "../exchange.ts";
import { BordersAhead } from "./borders-ahead.ts";
import { DepthSearch } from "./depth-search.ts";
import { type ExchangedLayers, exchangeLayers, type WantedLayers } from "./exchange-layers.ts";
import { fieldOfLayers, gatherArrays, gatherField } from "./gather-lattice.ts";
import type { SharedSimulation } from "./shared-simulation.ts";
import { TakenSums } from "./taken-sums.ts";

export type LatticeCommunicator = Pick<Communicator, "rank" | "size" | "send" | "recv" | "gather" | "bcast"> &
  Packing;

/** Borders are computed ahead of this part of what is computed between two exchanges: they travel meanwhile. */
const aheadShare = 1 / 2;

/** Work in this thread is interrupted after so long. */
const turnMs = 30;

export interface DividedOptions extends SimulationOptions {
  /** Layers of others that are exchanged at a time, at most; chosen by the times that runs take where it is left out. */
  readonly depth?: number | undefined;
}

/** What this rank has exchanged so far. */
export interface ExchangeCost {
  readonly exchanges: number;
  /** Until the layers of others were here, from when this rank's own ones had been read. */
  readonly ms: number;
}

/** A model on a lattice of which each rank has layers. The state is that of one rank, bit for bit. */
export class DividedSimulation implements SharedSimulation {
  readonly division: LayerDivision;
  readonly #communicator: LatticeCommunicator;
  readonly #plan: LatticePlan;
  readonly #options: DividedOptions;
  readonly #stretches: Stretches;
  /** Undefined where this rank has no layers. */
  readonly #part: LatticePart | undefined;
  readonly #borders: BordersAhead | undefined;
  #known: KnownLayers;
  #done = 0;
  /** Sweeps of the longest run. */
  #longest = 0;
  #turn = performance.now();
  #cost: ExchangeCost = { exchanges: 0, ms: 0 };
  readonly #search: DepthSearch;

  private constructor(
    communicator: LatticeCommunicator,
    plan: LatticePlan,
    options: DividedOptions,
    division: LayerDivision,
    stretches: Stretches,
    part: LatticePart | undefined,
    borders: BordersAhead | undefined,
  ) {
    this.#communicator = communicator;
    this.#plan = plan;
    this.#options = options;
    this.#part = part;
    this.#borders = borders;
    this.#stretches = stretches;
    this.division = division;
    this.#search = this.#searched();
    this.#known = Object.fromEntries(Object.keys(plan.arrays).map((name) => [name, division.ghosts]));
  }

  /** `open` makes this rank's part of elements. All ranks call it. Throws UnknownName for a start, and what `open` throws. */
  static async open(
    communicator: LatticeCommunicator,
    plan: LatticePlan,
    options: DividedOptions,
    open: (held: ElementRange) => Promise<LatticePart>,
  ): Promise<DividedSimulation> {
    const { seed, start, parameters } = options;
    const starts = startNamed(plan, start);
    const division = divideLayers(plan, communicator.size);
    const own = division.ranks[communicator.rank] as RankLayers | undefined;
    const stretches = new Stretches(plan);
    const part = own && (await open(elementsAround(division, own, division.ghosts)));
    let borders: BordersAhead | undefined;
    try {
      borders = part && (await BordersAhead.open(division, own, part, stretches.depthOfSweep));
      const made = new DividedSimulation(communicator, plan, options, division, stretches, part, borders);
      const constants = { seed, sweep: 0, ...plan.constantsOf(parameters) };
      for (const pass of starts) await made.#change(pass, constants);
      return made;
    } catch (error) {
      borders?.dispose();
      part?.dispose();
      throw error;
    }
  }

  /** This rank's own layers, none where others have all. */
  get own(): RankLayers {
    return this.division.ranks[this.#communicator.rank] ?? { first: 0, end: 0 };
  }

  get cost(): ExchangeCost {
    return this.#cost;
  }

  async run(sweeps: number, parameters: Numbers): Promise<readonly Numbers[] | undefined> {
    const constants = { seed: this.#options.seed, ...this.#plan.constantsOf(parameters) };
    const { stepsPerSweep } = this.#stretches;
    // Times differ from rank to rank.
    const depth = await this.#communicator.bcast<number>(
      Math.min(this.#options.depth ?? this.#search.depth, this.division.ghosts),
      0,
    );
    const start = performance.now();
    const { exchanges } = this.#cost;
    const end = sweeps * stepsPerSweep;
    const constantsAt = (step: number): PassConstants => ({
      ...constants,
      sweep: this.#done + 1 + Math.floor(step / stepsPerSweep),
    });
    const sums = new TakenSums(this.#part);
    const compute = async ({ steps }: Stretch, first: number) => {
      for (const [k, { pass, extent }] of steps.entries()) {
        if (pass) {
          await this.#compute(pass, extent, constantsAt(first + k));
          this.#known = knownAfter(this.#known, pass, extent);
        } else await sums.take(this.#elements(0), constantsAt(first + k));
      }
    };
    let stretch = this.#stretches.from(0, end, depth);
    await this.#prepare(stretch.needs);
    for (let step = 0; step < end; ) {
      const first = step;
      step += stretch.steps.length;
      // After the last stretch of a run comes the first one of the next run, which is probably as long.
      const next = this.#stretches.from(step, step < end ? end - step : end, depth);
      const { head, tail } = this.#parted(stretch, first);
      await compute(head, first);
      const tailBegins = first + head.steps.length;
      const exchange = this.#exchangeAhead(tail, next, (k) => constantsAt(tailBegins + k));
      await compute(tail, tailBegins);
      await (exchange ? exchange() : this.#prepare(next.needs));
      stretch = next;
    }
    const taken = await sums.all();
    this.#done += sweeps;
    // A run that is longer than all before it makes what later ones use again.
    const isWarm = sweeps <= this.#longest;
    this.#longest = Math.max(this.#longest, sweeps);
    if (isWarm && this.#cost.exchanges > exchanges) this.#search.learn((performance.now() - start) / sweeps);
    return this.#total(taken, sweeps);
  }

  read() {
    return gatherArrays(this.#communicator, this.#plan, this.division, this.#part);
  }

  field(name: string) {
    return gatherField(this.#communicator, this.#plan, this.division, this.#part, name);
  }

  /** A field on this rank's own layers and the first of the next rank. */
  fieldOfLayers(name: string) {
    return fieldOfLayers(this.#communicator, this.#plan, this.division, this.#part, name);
  }

  async draw(stroke: Stroke): Promise<void> {
    const constants = brushConstants(this.#plan, stroke);
    for (const pass of brushOf(this.#plan).passes) await this.#change(pass, constants);
  }

  dispose(): void {
    this.#borders?.dispose();
    this.#part?.dispose();
  }

  /** The depth to begin with, and the greatest one. */
  #searched(): DepthSearch {
    const { ghosts } = this.division;
    const { depthOfSweep } = this.#stretches;
    const borders = this.#borders;
    return borders
      ? new DepthSearch(borders.few, borders.most, depthOfSweep)
      : new DepthSearch(depthOfSweep, ghosts);
  }

  #elements(extent: number): ElementRange {
    return elementsAround(this.division, this.own, extent);
  }

  /** A pass beside the sweeps, which reads at its own element, on all that is known of that. */
  async #change(pass: Pass, constants: PassConstants): Promise<void> {
    const read = Object.keys(pass.reads).map((name) => this.#known[arrayNamed(pass, name)]);
    const extent = Math.min(this.division.ghosts, ...read);
    await this.#compute(pass, extent, constants);
    this.#known = knownAfter(this.#known, pass, extent);
  }

  async #compute(pass: Pass, extent: number, constants: PassConstants): Promise<void> {
    const part = this.#part;
    if (!part) return;
    const { length } = this.#plan;
    const { first, count } = this.#elements(extent);
    const most = part.elementsAtATime ?? count;
    for (let at = 0; at < count; at += most) {
      part.change(pass, { first: (first + at) % length, count: Math.min(most, count - at) }, constants);
      if (part.elementsAtATime !== undefined && performance.now() - this.#turn > turnMs) {
        await yieldToEventLoop();
        this.#turn = performance.now();
      }
    }
  }

  /** A stretch in two: borders are computed ahead of its tail. */
  #parted(stretch: Stretch, first: number): { readonly head: Stretch; readonly tail: Stretch } {
    const count = this.#borders ? Math.ceil(aheadShare * stretch.steps.length) : stretch.steps.length;
    const headCount = stretch.steps.length - count;
    return {
      head: { needs: stretch.needs, steps: stretch.steps.slice(0, headCount) },
      tail: this.#stretches.from(first + headCount, count, Number.POSITIVE_INFINITY),
    };
  }

  /** Gets layers that are needed of the others. */
  async #prepare(needs: KnownLayers): Promise<void> {
    const part = this.#part;
    const wanted = this.#wanted(needs, this.#known);
    if (wanted.length === 0) return;
    if (part) this.#arrive(await exchangeLayers(this.#communicator, part.read, this.division, wanted));
    this.#known = { ...this.#known, ...Object.fromEntries(wanted) };
  }

  /**
   * Computes the borders that others want after a stretch, and exchanges them; to be called before the stretch is computed. What it returns waits for the
   * layers of others, after the stretch. Undefined where there is nothing to exchange, or where this has to be done later.
   */
  #exchangeAhead(
    stretch: Stretch,
    next: Stretch,
    constants: (step: number) => PassConstants,
  ): (() => Promise<void>) | undefined {
    let known = this.#known;
    for (const { pass, extent } of stretch.steps) if (pass) known = knownAfter(known, pass, extent);
    const wanted = this.#wanted(next.needs, known);
    const width = Math.max(0, ...wanted.map(([, layers]) => layers));
    const around = Math.max(0, ...Object.values(stretch.needs));
    const borders = this.#borders;
    if (!borders || wanted.length === 0 || Math.max(width, around) > borders.most) return undefined;
    const read = borders.compute(stretch, width, constants);
    const exchanged = exchangeLayers(this.#communicator, read, this.division, wanted);
    exchanged.catch(() => {});
    return async () => {
      this.#arrive(await exchanged);
      this.#known = { ...this.#known, ...Object.fromEntries(wanted) };
    };
  }

  #arrive({ arrived, ms }: ExchangedLayers): void {
    packed(this.#communicator, () => {
      for (const { pieces, words } of arrived) this.#part?.write(pieces, words);
    });
    this.#cost = { exchanges: this.#cost.exchanges + 1, ms: this.#cost.ms + ms };
  }

  #wanted(needs: KnownLayers, known: KnownLayers): WantedLayers {
    if (this.division.ranks.length === 1) return [];
    return Object.entries(needs).filter(([name, layers]) => layers > known[name]);
  }

  /** Sums over all ranks, on rank 0, which adds them in rank order. */
  async #total(sums: readonly Numbers[], sweeps: number): Promise<readonly Numbers[] | undefined> {
    const names = this.#plan.sums.writes;
    const own = Float64Array.from(sums.flatMap((of) => names.map((name) => of[name])));
    const all = await this.#communicator.gather(own);
    const ofRanks = all?.slice(0, this.division.ranks.length);
    return (
      ofRanks &&
      Array.from({ length: sweeps }, (_, k) =>
        Object.fromEntries(
          names.map((name, n) => {
            const at = k * names.length + n;
            return [name, ofRanks.reduce((sum, of) => sum + of[at], 0)];
          }),
        ),
      )
    );
  }
}

/** What is known after a pass. */
function knownAfter(known: KnownLayers, pass: Pass, extent: number): KnownLayers {
  const written = pass.writes.map((name) => [arrayNamed(pass, name), extent] as const);
  return { ...known, ...Object.fromEntries(written) };
}
