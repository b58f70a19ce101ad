import type { DataSet, Field } from "../../core/field.ts";
import type { Bounds, UniformGrid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { brushConstants } from "../../core/lattice/brush.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { FieldValue } from "../derived.ts";
import type {
  LatticePlane,
  LatticeReading,
  LatticeRequest,
  LatticeSeries,
  LatticeState,
  LatticeStroke,
  LatticeSummary,
  Numbers,
} from "./api.ts";
import type { LatticeDevice } from "./device.ts";
import { LatticeHistory } from "./history.ts";
import { LatticeLoop, type LoopHost } from "./loop.ts";
import { Measurements } from "./measurements.ts";
import { openDevice, Relay } from "./open-device.ts";
import { boundsOf, checkPlace, gridOf } from "./plane.ts";
import { replay } from "./replay.ts";
import { type LatticeSettings, settingsOf } from "./settings.ts";
import { Steps } from "./steps.ts";
import { dataSetOf, summaryOf } from "./summary.ts";

/** Sweeps between two pictures at most. */
export const maxSweepsPerPicture = 1024;

/** A lattice that is open: it runs picture by picture, and what it was and became can be repeated. */
export class LivingLattice {
  readonly dataSet: DataSet;
  readonly bounds: Bounds;
  /** Is called with what goes wrong later. */
  onError: (error: unknown) => void = () => {};
  readonly #settings: LatticeSettings;
  readonly #history: LatticeHistory;
  readonly #measurements: Measurements;
  readonly #steps: Steps;
  #device: LatticeDevice;
  #plane: LatticePlane;
  #parameters: Numbers;
  #run = { isRunning: false, sweepsPerPicture: 1 };
  /** Sweeps that were begun. */
  #sweeps: number;
  /** What the next picture has of a sweep. */
  #share = 0;
  #isDisposed = false;

  /**
   * Runs the sweeps that are asked for. Where `former` is the same lattice after as many sweeps, of which other axes are shown, its
   * sites and what it measured are taken over instead; it is not to be run any more. Throws UnknownName, BadArgument, TooLarge, OutOfMemory, DeviceLost, Cancelled.
   */
  static async create(
    request: LatticeRequest,
    gpu: GpuContext | undefined,
    job: JobContext,
    former?: LivingLattice,
  ): Promise<LivingLattice> {
    const settings = settingsOf(request);
    const relay = new Relay();
    const same = former?.isMadeAs(settings) ? former : undefined;
    await same?.measured();
    const state = same && { arrays: await same.#device.simulation.read(), sweeps: settings.sweeps };
    const device = await openDevice(gpu, settings, relay, state);
    try {
      const lattice = new LivingLattice(settings, device, relay, same);
      lattice.#parameters = same
        ? same.#parameters
        : await replay(device, settings, (sums) => lattice.#measured(sums), job);
      device.show(settings.plane);
      await device.measured();
      return lattice;
    } catch (error) {
      device.dispose();
      throw error;
    }
  }

  private constructor(
    settings: LatticeSettings,
    device: LatticeDevice,
    relay: Relay,
    former: LivingLattice | undefined,
  ) {
    const { plan, size, plane, parameters, sweeps, changes } = settings;
    this.#settings = settings;
    this.#device = device;
    this.#parameters = parameters;
    this.#plane = plane;
    this.#sweeps = sweeps;
    this.#history = former ? former.#history : new LatticeHistory(changes);
    const zeros = Object.fromEntries(plan.sums.writes.map((name) => [name, 0]));
    const quantities = Object.keys(plan.quantitiesOf(zeros));
    this.#steps = new Steps(quantities);
    this.#measurements = former ? former.#measurements : new Measurements(quantities);
    relay.onSums = (sums) => this.#measured(sums);
    relay.failed = (error) => this.onError(error);
    const grid: UniformGrid = gridOf(size, plane);
    this.bounds = boundsOf(grid);
    this.dataSet = dataSetOf(settings, device, grid);
  }

  /** Whether it has become what these settings make, but for the axes that are shown. */
  isMadeAs(settings: LatticeSettings): boolean {
    const { changes } = this.#history;
    return madeBy(settings) === madeBy({ ...this.#settings, sweeps: this.#sweeps, changes });
  }

  /** What runs it between pictures; it is made here, so that the engine loads it with the first lattice. */
  loop(host: LoopHost): LatticeLoop {
    return new LatticeLoop(this, host);
  }

  /** Whether the next picture has something to run. */
  get isDue(): boolean {
    return this.#run.isRunning || this.#steps.last > this.#sweeps;
  }

  /** Whether sweeps have begun that are not measured yet. */
  get isAhead(): boolean {
    return this.#sweeps > this.#measurements.sweeps;
  }

  get state(): LatticeState {
    const { rates, sweeps } = this.#measurements;
    return {
      run: this.#run,
      sweeps,
      parameters: this.#parameters,
      sweepsPerSecond: rates.sweeps,
      picturesPerSecond: rates.pictures,
      unrepeatable: this.#history.unrepeatable,
    };
  }

  get summary(): LatticeSummary {
    return summaryOf(this.#settings, this.#plane, this.state);
  }

  get request(): LatticeRequest {
    const { model, size, seed, start, parameters } = this.#settings;
    const { changes } = this.#history;
    return {
      kind: "lattice",
      model: model.name,
      size,
      seed,
      start,
      parameters,
      sweeps: this.#sweeps,
      changes: [...changes],
      plane: this.#plane,
    };
  }

  /** Throws BadArgument. */
  set run({ isRunning, sweepsPerPicture }: LatticeState["run"]) {
    if (!(sweepsPerPicture > 0 && sweepsPerPicture <= maxSweepsPerPicture)) {
      throw badArgument(
        `The number of sweeps between two pictures is ${sweepsPerPicture}.`,
        `Give a number above 0, up to ${maxSweepsPerPicture}.`,
      );
    }
    this.#run = { isRunning, sweepsPerPicture };
  }

  /** Runs so many sweeps beside those that it runs by itself, as `Steps.ask` says. */
  step(sweeps: number): Promise<LatticeSeries> {
    return this.#steps.ask(sweeps, this.#sweeps);
  }

  /** Throws UnknownName, BadArgument. */
  setParameters(given: Numbers): void {
    const { model, plan, size } = this.#settings;
    const parameters = parametersOf(model, { ...this.#parameters, ...given }, size.length);
    const fixed = Object.keys(given).find(
      (name) => model.parameters[name].isFixed && parameters[name] !== this.#parameters[name],
    );
    if (fixed !== undefined)
      throw badArgument(
        `The parameter ${fixed} cannot change while the lattice is open.`,
        "Open another lattice with it.",
      );
    plan.constantsOf(parameters);
    this.#parameters = parameters;
    this.#history.setParameters(this.#sweeps, parameters);
  }

  /** Throws BadArgument. */
  async draw(stroke: LatticeStroke): Promise<void> {
    brushConstants(this.#settings.plan, stroke);
    await this.#device.prepareBrush();
    if (this.#isDisposed) return;
    this.#device.draw?.(stroke);
    this.#history.addStroke(this.#sweeps, stroke);
    this.#device.show(this.#plane);
  }

  /** Throws BadArgument. */
  set place(at: readonly number[]) {
    checkPlace(this.#settings.size, at);
    this.#plane = { ...this.#plane, at };
    this.#device.show(this.#plane);
  }

  /** Runs the sweeps of a picture. Nothing is waited for. */
  advance(): void {
    const { isRunning, sweepsPerPicture } = this.#run;
    const stepped = Math.max(0, this.#steps.last - this.#sweeps);
    this.#share = isRunning ? this.#share + sweepsPerPicture : 0;
    const own = Math.floor(this.#share);
    const wanted = Math.max(own, Math.min(stepped, maxSweepsPerPicture));
    this.#share -= own;
    if (wanted > 0) this.#sweeps += this.#device.advance(wanted, this.#parameters);
    this.#measurements.countPicture();
  }

  /** What has been measured since the last call. */
  takeSeries(): LatticeSeries {
    return this.#measurements.take();
  }

  /** Resolves when all sweeps that were begun are measured. */
  measured(): Promise<void> {
    return this.#device.measured();
  }

  /** A shown field where it lies. */
  value(name: string): FieldValue | undefined {
    return this.#device.value(name);
  }

  /** A shown field as it is now, in host memory. */
  read(name: string): Promise<Field> {
    return this.#device.read(name);
  }

  /** The first of the shown fields as it is now. */
  async readFirst(): Promise<LatticeReading> {
    const { plan, size } = this.#settings;
    const [name] = Object.keys(plan.fields);
    const sweeps = this.#sweeps;
    const { components, data } = await this.#device.read(name);
    const lengths = this.#plane.axes.map((axis) => size[axis]);
    return { sweeps, field: name, lengths, components, values: data as Float32Array<ArrayBuffer> };
  }

  /** Whether the range of a shown field's colours does not depend on its present values. True of what is no shown field. */
  hasRange(name: string): boolean {
    const field = this.#settings.plan.fields[name];
    return !field || field.range !== undefined;
  }

  /** The statistics of a field whose range does not depend on its present values. */
  withRange(name: string, statistics: Statistics): Statistics {
    const { range, components } = this.#settings.plan.fields[name];
    if (!range || components > 1) return statistics;
    return {
      ...statistics,
      min: Math.min(range[0], statistics.min),
      max: Math.max(range[1], statistics.max),
    };
  }

  /** Goes on where it was on another device, from the start; what was measured since then is reported. Throws as `create`. */
  async moveTo(gpu: GpuContext | undefined, job: JobContext): Promise<void> {
    const relay = new Relay();
    const device = await openDevice(gpu, this.#settings, relay);
    try {
      let done = 0;
      const onSums = (sums: readonly Numbers[]) => {
        const known = Math.max(0, Math.min(sums.length, this.#measurements.sweeps - done));
        done += sums.length;
        this.#measured(sums.slice(known));
      };
      const repeated = { ...this.request, parameters: this.#settings.parameters, sweeps: this.#sweeps };
      await replay(device, { ...repeated, changes: this.#history.changes }, onSums, job);
    } catch (error) {
      device.dispose();
      throw error;
    }
    relay.onSums = (sums) => this.#measured(sums);
    relay.failed = (error) => this.onError(error);
    this.#device = device;
    device.show(this.#plane);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#run = { ...this.#run, isRunning: false };
    this.#steps.close();
    this.#device.dispose();
  }

  #measured(sums: readonly Numbers[]): void {
    for (const each of sums) {
      const quantities = this.#settings.plan.quantitiesOf(each);
      this.#measurements.add(quantities);
      this.#steps.measured(this.#measurements.sweeps, quantities);
    }
  }
}

/** A text that is the same for settings that make the same sites. */
const madeBy = ({ model, size, seed, start, parameters, sweeps, changes }: LatticeSettings): string =>
  JSON.stringify([model.name, size, seed, start, parameters, sweeps, changes]);
