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
import { exchangeLayers } from "./exchange-layers.ts";
import { gatherArrays, gatherField } from "./gather-lattice.ts";
import type { SharedSimulation } from "./shared-simulation.ts";

export type LatticeCommunicator = Pick<Communicator, "rank" | "size" | "send" | "recv" | "gather" | "bcast"> &
  Packing;

/** An exchange of layers takes so long at least: devices are waited for, and copied from and to. */
const leastExchangeMs = 0.5;

/** Work in this thread is interrupted after so long. */
const turnMs = 30;

export interface DividedOptions extends SimulationOptions {
  /** Layers of others that are exchanged at a time, at most; chosen by the times that runs take where it is left out. */
  readonly depth?: number | undefined;
}

/** How long a sweep has taken without exchanges, and an exchange, lately. */
interface Pace {
  readonly sweepMs: number;
  readonly exchangeMs: number;
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
  #known: KnownLayers;
  #done = 0;
  #turn = performance.now();
  #cost: ExchangeCost = { exchanges: 0, ms: 0 };
  #pace: Pace | undefined;

  private constructor(
    communicator: LatticeCommunicator,
    plan: LatticePlan,
    options: DividedOptions,
    division: LayerDivision,
    part: LatticePart | undefined,
  ) {
    this.#communicator = communicator;
    this.#plan = plan;
    this.#options = options;
    this.#part = part;
    this.#stretches = new Stretches(plan);
    this.division = division;
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
    const part = own && (await open(elementsAround(division, own, division.ghosts)));
    const made = new DividedSimulation(communicator, plan, options, division, part);
    try {
      const constants = { seed, sweep: 0, ...plan.constantsOf(parameters) };
      for (const pass of starts) await made.#change(pass, constants);
    } catch (error) {
      part?.dispose();
      throw error;
    }
    return made;
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
    const depth = await this.#communicator.bcast<number>(this.#depth(), 0);
    const start = performance.now();
    const before = this.#cost;
    const sums: Numbers[] = [];
    let pending = 0;
    for (let step = 0; step < sweeps * stepsPerSweep; ) {
      const stretch = this.#stretches.from(step, sweeps * stepsPerSweep - step, depth);
      await this.#prepare(stretch);
      for (const { pass, extent } of stretch.steps) {
        const sweep = this.#done + 1 + Math.floor(step / stepsPerSweep);
        step++;
        if (pass) {
          await this.#compute(pass, extent, { ...constants, sweep });
          this.#learn(pass, extent);
          continue;
        }
        this.#part?.sum(this.#elements(0), { ...constants, sweep });
        if (this.#part && ++pending === this.#part.maxSums) {
          sums.push(...(await this.#part.takeSums()));
          pending = 0;
        }
      }
    }
    this.#done += sweeps;
    if (this.#part && pending > 0) sums.push(...(await this.#part.takeSums()));
    this.#learnPace(performance.now() - start, sweeps, before);
    return this.#total(sums, sweeps);
  }

  read() {
    return gatherArrays(this.#communicator, this.#plan, this.division, this.#part);
  }

  field(name: string) {
    return gatherField(this.#communicator, this.#plan, this.division, this.#part, name);
  }

  async draw(stroke: Stroke): Promise<void> {
    const constants = brushConstants(this.#plan, stroke);
    for (const pass of brushOf(this.#plan).passes) await this.#change(pass, constants);
  }

  dispose(): void {
    this.#part?.dispose();
  }

  /**
   * Layers that a stretch is to need, for the least time: with d of them there are c / d exchanges a sweep, each of which takes the time t, where a
   * sweep takes c of what is known; and by each pass d layers are computed twice, beside a rank's own n, which take the time T a sweep.
   * t·c / d + T·d / n is least for d = √(t·c·n / T).
   */
  #depth(): number {
    const { ghosts, ranks } = this.division;
    const { depthOfSweep, layersPerSweep } = this.#stretches;
    const own = Math.min(...ranks.map(({ first, end }) => end - first));
    const { sweepMs, exchangeMs } = this.#pace ?? { sweepMs: 0, exchangeMs: 0 };
    const best =
      sweepMs > 0 ? Math.round(Math.sqrt((exchangeMs * layersPerSweep * own) / sweepMs)) : depthOfSweep;
    return Math.min(ghosts, Math.max(this.#options.depth ?? best, this.#plan.reach ?? 1));
  }

  /** Keeps the pace of a run, and of those before it what they had of it. */
  #learnPace(ms: number, sweeps: number, before: ExchangeCost): void {
    const exchanging = this.#cost.ms - before.ms;
    const exchanges = this.#cost.exchanges - before.exchanges;
    const former = this.#pace?.exchangeMs ?? leastExchangeMs;
    const latest = exchanges > 0 ? exchanging / exchanges : former;
    this.#pace = {
      sweepMs: (ms - exchanging) / sweeps,
      exchangeMs: Math.max(leastExchangeMs, (former + latest) / 2),
    };
  }

  #elements(extent: number): ElementRange {
    return elementsAround(this.division, this.own, extent);
  }

  /** A pass beside the sweeps, which reads at its own element, on all that is known of that. */
  async #change(pass: Pass, constants: PassConstants): Promise<void> {
    const read = Object.keys(pass.reads).map((name) => this.#known[arrayNamed(pass, name)]);
    const extent = Math.min(this.division.ghosts, ...read);
    await this.#compute(pass, extent, constants);
    this.#learn(pass, extent);
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

  #learn(pass: Pass, extent: number): void {
    const written = pass.writes.map((name) => [arrayNamed(pass, name), extent] as const);
    this.#known = { ...this.#known, ...Object.fromEntries(written) };
  }

  /** Gets what a stretch needs of the others. */
  async #prepare({ needs }: Stretch): Promise<void> {
    if (this.division.ranks.length === 1) return;
    const wanted = Object.entries(needs).filter(([name, layers]) => layers > this.#known[name]);
    if (wanted.length === 0) return;
    this.#known = { ...this.#known, ...Object.fromEntries(wanted) };
    if (!this.#part) return;
    const ms = await exchangeLayers(this.#communicator, this.#part, this.division, wanted);
    this.#cost = { exchanges: this.#cost.exchanges + 1, ms: this.#cost.ms + ms };
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
