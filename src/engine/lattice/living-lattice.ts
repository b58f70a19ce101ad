import { cancelled } from "../../core/errors.ts";
import type { DataSet, Field } from "../../core/field.ts";
import type { Bounds, UniformGrid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { brushConstants } from "../../core/lattice/brush.ts";
import type { LatticeBrush } from "../../core/lattice/model.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { FieldValue } from "../derived.ts";
import type {
  LatticeBrushLimits,
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
import { modelSummary } from "./models.ts";
import { nameOfLattice } from "./name.ts";
import { openDevice, Relay } from "./open-device.ts";
import { boundsOf, checkPlace, gridOf } from "./plane.ts";
import { replay } from "./replay.ts";
import { type LatticeSettings, settingsOf } from "./settings.ts";

/** Somebody waits for sweeps, and for what was measured after them. */
interface Step {
  readonly first: number;
  readonly last: number;
  readonly quantities: Readonly<Record<string, number[]>>;
  resolve(series: LatticeSeries): void;
  reject(error: unknown): void;
}

const brushLimits = ({ min, max, isWhole, note }: LatticeBrush): LatticeBrushLimits => ({
  min,
  max,
  isWhole,
  ...(note === undefined ? {} : { note }),
});

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
  readonly #quantities: readonly string[];
  #device: LatticeDevice;
  #plane: LatticePlane;
  #parameters: Numbers;
  #run = { isRunning: false, sweepsPerPicture: 1 };
  /** Sweeps that were begun. */
  #sweeps: number;
  /** What the next picture has of a sweep. */
  #share = 0;
  #steps: Step[] = [];
  #isDisposed = false;

  /** Runs the sweeps that are asked for. Throws UnknownName, BadArgument, TooLarge, OutOfMemory, DeviceLost, Cancelled. */
  static async create(
    request: LatticeRequest,
    gpu: GpuContext | undefined,
    job: JobContext,
  ): Promise<LivingLattice> {
    const settings = settingsOf(request);
    const relay = new Relay();
    const device = await openDevice(gpu, settings, relay);
    try {
      const lattice = new LivingLattice(settings, device, relay);
      lattice.#parameters = await replay(device, settings, (sums) => lattice.#measured(sums), job);
      device.show(settings.plane);
      await device.measured();
      return lattice;
    } catch (error) {
      device.dispose();
      throw error;
    }
  }

  private constructor(settings: LatticeSettings, device: LatticeDevice, relay: Relay) {
    const { plan, size, plane, parameters, sweeps, changes } = settings;
    this.#settings = settings;
    this.#device = device;
    this.#parameters = parameters;
    this.#plane = plane;
    this.#sweeps = sweeps;
    this.#history = new LatticeHistory(changes);
    const zeros = Object.fromEntries(plan.sums.writes.map((name) => [name, 0]));
    this.#quantities = Object.keys(plan.quantitiesOf(zeros));
    this.#measurements = new Measurements(this.#quantities);
    relay.onSums = (sums) => this.#measured(sums);
    relay.failed = (error) => this.onError(error);
    const grid: UniformGrid = gridOf(size, plane);
    this.bounds = boundsOf(grid);
    const fields = Object.entries(plan.fields).map(([name, { components }]): Field => {
      const value = device.value(name);
      if (value?.kind === "host") return value.field;
      return { name, centering: "node", components, dtype: "f32", data: new Float32Array(0) };
    });
    this.dataSet = { name: nameOfLattice({ model: settings.model.name, size }), grid, fields, notes: [] };
  }

  /** What runs it between pictures; it is made here, so that the engine loads it with the first lattice. */
  loop(host: LoopHost): LatticeLoop {
    return new LatticeLoop(this, host);
  }

  /** Whether the next picture has something to run. */
  get isDue(): boolean {
    return this.#run.isRunning || this.#steps.some(({ last }) => last > this.#sweeps);
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
    const { model, size, seed, start, plan } = this.#settings;
    const { brush } = plan;
    return {
      model: modelSummary(model, plan),
      size,
      seed,
      start,
      plane: this.#plane,
      brush: brush && brushLimits(brush),
      domains: plan.domains,
      state: this.state,
    };
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

  /** Resolves when so many more sweeps have been run and measured. Throws BadArgument; rejects with Cancelled where it is closed before. */
  step(sweeps: number): Promise<LatticeSeries> {
    if (!Number.isInteger(sweeps) || sweeps < 1)
      throw badArgument(`The number of sweeps to run is ${sweeps}.`, "Give a whole number from 1 on.");
    const first = Math.max(this.#sweeps, ...this.#steps.map(({ last }) => last)) + 1;
    return new Promise((resolve, reject) => {
      const quantities = Object.fromEntries(this.#quantities.map((name) => [name, []]));
      this.#steps.push({ first, last: first + sweeps - 1, quantities, resolve, reject });
    });
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
    const stepped = Math.max(0, ...this.#steps.map(({ last }) => last - this.#sweeps));
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
    for (const { reject } of this.#steps) reject(cancelled("The lattice"));
    this.#steps = [];
    this.#device.dispose();
  }

  #measured(sums: readonly Numbers[]): void {
    for (const each of sums) {
      const quantities = this.#settings.plan.quantitiesOf(each);
      this.#measurements.add(quantities);
      const { sweeps } = this.#measurements;
      for (const step of this.#steps) {
        if (sweeps < step.first || sweeps > step.last) continue;
        for (const name of this.#quantities) step.quantities[name].push(quantities[name]);
      }
    }
    const { sweeps } = this.#measurements;
    const ended = this.#steps.filter(({ last }) => last <= sweeps);
    this.#steps = this.#steps.filter(({ last }) => last > sweeps);
    for (const { first, quantities, resolve } of ended) {
      const series = Object.entries(quantities).map(
        ([name, values]) => [name, Float64Array.from(values)] as const,
      );
      resolve({ first, quantities: Object.fromEntries(series) });
    }
  }
}
