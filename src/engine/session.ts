import { fieldStatistics } from "../algorithms/statistics/statistics.ts";
import { CrinkleError } from "../core/errors.ts";
import { type DataSet, type Field, fieldNamed } from "../core/field.ts";
import { checkCancelled, type JobContext, noJob } from "../core/job.ts";
import type { PointSet } from "../core/point-set.ts";
import type { Statistics } from "../core/statistics.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { lossReported } from "../gpu/device/loss.ts";
import type { MemoryUse } from "../gpu/device/pool.ts";
import { type CompactField, fitsCompact } from "../gpu/fields/compact-field.ts";
import { downloadField } from "../gpu/fields/download.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { fieldValues } from "../gpu/primitives/field-values.ts";
import { trimPrimitives, withPrimitives } from "../gpu/primitives/with-primitives.ts";
import { compileOnDemand } from "../lang/expression/compile-on-demand.ts";
import type { WorkersOnDemand } from "../lang/expression/execute/cpu/workers.ts";
import type { RunOptions } from "../lang/expression/execute/gpu/run.ts";
import { onlyOneWay } from "../lang/expression/execute/reason.ts";
import type { RunResult } from "../lang/expression/execute/report.ts";
import type { BuildOptions } from "../lang/expression/network/builder.ts";
import type { FieldSignature, Network } from "../lang/expression/network/network.ts";
import { namesRead, resultStatements } from "../lang/expression/results.ts";
import { quoteName } from "../lang/expression/syntax/quoting.ts";
import type { ComputeSummary, DataSetSummary, LatticeRequest, RunRequest } from "./api.ts";
import {
  DerivedResults,
  derivedSummary,
  type FieldValue,
  type Program,
  quantitySummary,
  releaseValue,
} from "./derived.ts";
import type { EngineDevice } from "./device.ts";
import { statisticsOf } from "./host-statistics.ts";
import { nothingOpen } from "./jobs.ts";
import { LoadedData } from "./loaded-data.ts";
import { type NamedText, nameResult } from "./name-result.ts";
import { requireNoGrid } from "./points/require-no-grid.ts";
import type { Evaluation } from "./runs/evaluation.ts";

/**
 * One rank's work without a picture: a data set, the fields derived from it, and the device they live on.
 * The page's worker and the command line run this same class.
 */
export class Session {
  readonly derived = new DerivedResults();
  #device: EngineDevice;
  /** Gives the CPU workers that compute if there is no GPU. */
  readonly #workers: WorkersOnDemand;
  #data: LoadedData | undefined;
  /** Results that a lost device took along and that are not recomputed yet. */
  #owed: { readonly programs: Program[]; readonly kept: ReadonlySet<string> } | undefined;

  constructor(device: EngineDevice, workers: WorkersOnDemand = () => undefined) {
    this.#device = device;
    this.#workers = workers;
  }

  get device(): EngineDevice {
    return this.#device;
  }

  /** Bytes in buffers on the GPU now and at the most; undefined without one. */
  get memoryUse(): MemoryUse | undefined {
    return this.#device.gpu?.pool.use;
  }

  /** Throws if nothing is open. */
  get data(): LoadedData {
    if (!this.#data) throw nothingOpen();
    return this.#data;
  }

  get isOpen(): boolean {
    return this.#data !== undefined;
  }

  /** A data set, or points, with statistics, for `setData`. Changes nothing. Throws Cancelled. */
  async prepare(content: DataSet | PointSet, job: JobContext): Promise<LoadedData> {
    const data = new LoadedData(content, this.#device.gpu);
    await data.prepare(job);
    return data;
  }

  /** A lattice after its sweeps, with statistics, for `setData`: the open one goes on where it is the same along other axes. Throws what `LivingLattice.create` throws. */
  async prepareLattice(request: LatticeRequest, job: JobContext): Promise<LoadedData> {
    const { LivingLattice } = await import("./lattice/living-lattice.ts");
    const lattice = await LivingLattice.create(request, this.#device.gpu, job, this.#data?.lattice);
    const data = new LoadedData(lattice, this.#device.gpu);
    try {
      await this.refreshStatistics(data);
      return data;
    } catch (error) {
      await data.release();
      throw error;
    }
  }

  /** Takes statistics of the fields of a lattice as they are now. */
  async refreshStatistics(data: LoadedData = this.data): Promise<void> {
    for (const field of data.dataSet.fields) data.know(field.name, await this.statistics(data.value(field)));
  }

  /** Replaces the open data set and frees what was derived from the former one. */
  async setDataSet(dataSet: DataSet): Promise<Omit<DataSetSummary, "ms">> {
    return this.setData(await this.prepare(dataSet, noJob));
  }

  /** The same with data from `prepare`. */
  async setData(data: LoadedData): Promise<Omit<DataSetSummary, "ms">> {
    const former = this.#data;
    const { dataSet } = data;
    this.#data = data;
    this.#owed = undefined;
    this.derived.clear();
    await former?.release();
    await this.#trim();
    return {
      name: dataSet.name,
      grid: data.gridSummary(),
      points: data.pointsSummary(),
      ...(data.lattice ? { lattice: data.lattice.summary } : {}),
      fields: dataSet.fields.map((field) => data.fieldSummary(field)),
      notes: dataSet.notes,
    };
  }

  /** Throws BadArgument where the values of what is open are on other ranks alone. */
  requireValues(): void {
    if (this.#data?.hasValues !== false) return;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The values of “${this.#data.dataSet.name}” are on the ranks that read them, not in this page.`,
      remedy:
        "Statistics, surfaces, values under the pointer and files come from there; for the rest, open the file in the page.",
    });
  }

  /** All names that an expression may use; derived fields hide loaded ones of the same name. */
  signatures(): FieldSignature[] {
    const derived = this.derived.signatures();
    const hidden = new Set(derived.map(({ name }) => name));
    return [...this.data.dataSet.fields.filter(({ name }) => !hidden.has(name)), ...derived];
  }

  /** The text with a name for its last statement, if that has none. */
  nameResult(text: string): NamedText {
    const fields = this.#data?.dataSet.fields ?? [];
    return nameResult(
      text,
      this.derived.named(),
      fields.map(({ name }) => name),
    );
  }

  /** The network of a text. Rejects with its first SyntaxError, UnknownName or TypeError. */
  async compile(text: string, options?: BuildOptions): Promise<Network> {
    const network = await compileOnDemand(text, this.signatures(), options);
    if (this.data.points) requireNoGrid(network);
    return network;
  }

  /**
   * Runs the statements and keeps each result that no later statement builds on: on the GPU where the strategy and its
   * budget let it stay there, else in host memory, from where it is sent when it is first read.
   */
  async compute(
    text: string,
    job: JobContext,
    request: RunRequest = { strategy: "auto" },
  ): Promise<ComputeSummary> {
    const start = performance.now();
    const { results, steps } = resultStatements(text);
    const names = results.map(({ name }) => name);
    const network = await this.compile(text, { outputs: names });
    const evaluation = await this.evaluate(network, names, job, request);
    const { values, quantities, kernels, account } = evaluation;
    const ms = performance.now() - start;
    const recipe = this.derived.recipeFor(text, request, namesRead(text));
    const computed = [];
    const known = [];
    try {
      for (const { name, text: expression } of results) {
        const value = values.get(name);
        const quantity = quantities.get(name);
        if (value) {
          computed.push({ name, recipe, expression, value, statistics: await this.statistics(value), ms });
        } else if (quantity) known.push({ name, recipe, expression, quantity });
      }
      checkCancelled(job, "The computation");
    } catch (error) {
      for (const value of values.values()) releaseValue(value);
      throw error;
    }
    for (const field of computed) this.derived.set(field);
    for (const quantity of known) this.derived.setQuantity(quantity);
    const device = account ? "gpu" : "cpu";
    const whole = performance.now() - start;
    const notes = [...network.notes, ...(evaluation.notes ?? [])];
    if (steps.length > 0) notes.push(notKept(steps));
    if (!account && request.strategy !== "auto") notes.push(onlyOneWay(request.strategy));
    return {
      text,
      derived: computed.map(derivedSummary),
      quantities: known.map(quantitySummary),
      notes,
      device,
      kernels,
      threads: evaluation.threads,
      ms: whole,
      ...(account ? { run: { ...account, ms: whole, nodes: [] } } : {}),
    };
  }

  /**
   * Evaluates the named outputs; the caller owns the fields. By fusion on the GPU where there is no request; by "auto" on the CPU where
   * single precision would lose their digits, unless the GPU was asked for.
   */
  async evaluate(
    network: Network,
    outputs: readonly string[],
    job: JobContext,
    request?: RunRequest,
  ): Promise<Evaluation> {
    this.requireValues();
    await this.bringHere(sourcesOf(network), job);
    const gpu = this.#device.gpu;
    if (!gpu) return this.#evaluateOnCpu(network, outputs, this.#hostData(), job);
    const { evaluateByStrategy } = await import("./runs/evaluation.ts");
    const blurred = request ? await this.#blurred(network, outputs) : undefined;
    if (blurred && request?.strategy === "auto" && !this.#device.isChosen) {
      const evaluation = await this.#evaluateOnCpu(network, outputs, blurred.dataSet, job);
      return { ...evaluation, notes: [blurred.onCpu, ...(evaluation.notes ?? [])] };
    }
    const evaluated = await evaluateByStrategy(
      this,
      gpu,
      network,
      outputs,
      request ?? { strategy: "fusion" },
      job,
    );
    return { ...evaluated, notes: blurred ? [blurred.onGpu] : [] };
  }

  async #evaluateOnCpu(
    network: Network,
    outputs: readonly string[],
    dataSet: DataSet,
    job: JobContext,
  ): Promise<Evaluation> {
    const { evaluateOnCpu } = await import("../lang/expression/execute/cpu/evaluate.ts");
    const evaluation = await evaluateOnCpu(network, dataSet, outputs, job, await this.#workers());
    const { fields, quantities, threads, notes } = evaluation;
    const values = mapValues(fields, (field) => ({ kind: "host", field }) as const);
    return { values, quantities, kernels: 0, threads, notes };
  }

  /** A sentence where a GPU's single precision loses digits of outputs. */
  async precisionNotes(network: Network, outputs: readonly string[]): Promise<readonly string[]> {
    const blurred = await this.#blurred(network, outputs);
    return blurred ? [blurred.onGpu] : [];
  }

  /** What is said of outputs whose digits single precision loses, and the data that they come from; undefined if there are none. */
  async #blurred(network: Network, outputs: readonly string[]) {
    if (this.data.lattice || this.data.points) return undefined;
    const known = this.#hostData();
    const { hostData, mayLoseDigits } = await import("./runs/evaluation.ts");
    if (!mayLoseDigits(network, outputs, known)) return undefined;
    const { lostDigits } = await import("../lang/expression/execute/digits/lost-digits.ts");
    const dataSet = await hostData(this, network);
    const names = await lostDigits(network, outputs, dataSet);
    if (names.length === 0) return undefined;
    const { onCpuForDigits, onGpuDespiteDigits } = await import("../lang/expression/execute/digits/notes.ts");
    return { dataSet, onCpu: onCpuForDigits(names), onGpu: onGpuDespiteDigits(names) };
  }

  /**
   * Evaluates the named outputs by a strategy, from host memory to host memory, and accounts for what it moved. Throws
   * NoWebGPU without a GPU, and what `runNetwork` throws.
   */
  async run(
    network: Network,
    outputs: readonly string[],
    options: RunOptions,
    job: JobContext,
  ): Promise<RunResult<Field>> {
    this.requireValues();
    await this.bringHere(sourcesOf(network), job);
    const { evaluateOnHost } = await import("./runs/evaluation.ts");
    return evaluateOnHost(this, this.#gpu(), network, outputs, options, job);
  }

  /** Whether a derived or loaded field is on the GPU, or being uploaded. */
  isOnGpu(name: string): boolean {
    return this.derived.get(name) ? this.derived.isOnGpu(name) : this.data.hasSent(name);
  }

  /** A derived or loaded field on the GPU, uploaded on the first request; owned by the session. */
  async gpuField(gpu: GpuContext, name: string, job: JobContext): Promise<GpuField> {
    this.requireValues();
    await this.bringHere([name], job);
    if (this.derived.get(name)) return this.derived.gpuField(gpu, this.data.dataSet.grid, name, job);
    const field = fieldNamed(this.data.dataSet, name);
    if (!field) throw this.unknownField(name);
    return this.data.gpuField(gpu, field, job);
  }

  /**
   * A loaded field of small integers on the GPU in its stored type, uploaded on the first request; undefined if there
   * is no GPU or no such field, or if the field is already there as f32.
   */
  async compactField(name: string, job: JobContext): Promise<CompactField | undefined> {
    this.requireValues();
    const { gpu } = this.#device;
    const field = fieldNamed(this.data.dataSet, name);
    const isElsewhere = this.derived.get(name) || this.data.hasSent(name);
    return gpu && field && fitsCompact(field) && !isElsewhere
      ? this.data.compactField(gpu, field, job)
      : undefined;
  }

  /** A derived or loaded field in host memory. */
  async hostField(name: string, job: JobContext = noJob): Promise<Field> {
    this.requireValues();
    await this.bringHere([name], job);
    const derived = this.derived.get(name);
    if (derived) return this.download(derived.value as FieldValue);
    const field = fieldNamed(this.data.dataSet, name);
    if (!field) throw this.unknownField(name);
    return this.data.lattice?.read(name) ?? field;
  }

  /**
   * Computes here those of these fields that only ranks have computed. Throws BadArgument where the values of what is open
   * are elsewhere, and what evaluation throws.
   */
  async bringHere(names: Iterable<string>, job: JobContext): Promise<void> {
    const missing = [...names].filter((name) => this.derived.isElsewhere(name));
    if (missing.length === 0) return;
    this.requireValues();
    const text = this.derived.programsOf(missing).map((program) => program.text);
    const network = await compileOnDemand(text.join("\n"), this.data.dataSet.fields, { outputs: missing });
    const { evaluateLoaded } = await import("./runs/evaluate-loaded.ts");
    const workers = await this.#workers();
    const values = await evaluateLoaded(this.data, this.#device.gpu, network, missing, job, workers);
    for (const [name, value] of values) this.derived.fill(name, value);
  }

  async download(value: FieldValue): Promise<Field> {
    this.requireValues();
    return value.kind === "host" ? value.field : downloadField(this.#gpu(), value.field);
  }

  statistics(value: FieldValue): Promise<Statistics> {
    if (value.kind === "host") return statisticsOf(value.field.data, value.field.components);
    return withPrimitives(this.#gpu(), async (primitives) => {
      const values = fieldValues(primitives, value.field);
      const statistics = await fieldStatistics(values);
      if (values.components === 1) return statistics;
      const { componentRanges } = await import("../algorithms/statistics/component-ranges.ts");
      return { ...statistics, componentRanges: await componentRanges(values) };
    });
  }

  /** Statistics of any loaded or derived field by name. */
  statisticsOf(name: string): Statistics {
    const derived = this.derived.get(name);
    if (derived) return derived.statistics;
    const field = fieldNamed(this.data.dataSet, name);
    if (!field) throw this.unknownField(name);
    return this.data.statistics(field);
  }

  /**
   * Continues on another device after the previous one was lost: host data stays, and derived fields are recomputed. If
   * some cannot be, throws the first error after restoring the others. Throws DeviceLost if this device is lost too;
   * the next device then restores what is missing.
   */
  async moveTo(device: EngineDevice, job: JobContext): Promise<void> {
    if (this.#data?.hasValues === false) {
      this.#device = device;
      this.#data = this.#data.on(device.gpu);
      return;
    }
    const owed = this.#owed ?? { programs: [], kept: new Set(this.derived.names()) };
    owed.programs.unshift(...this.derived.programs());
    this.#owed = owed;
    this.derived.forget();
    this.#device = device;
    this.#data = this.#data?.on(device.gpu);
    await this.#data?.lattice?.moveTo(device.gpu, job);
    let failure: { readonly error: unknown } | undefined;
    for (let next = owed.programs[0]; next; next = owed.programs[0]) {
      checkCancelled(job, "Restoring the session");
      try {
        await this.compute(next.text, job, next.request);
      } catch (error) {
        if (await this.isLost()) throw error;
        failure ??= { error };
      }
      owed.programs.shift();
    }
    this.#owed = undefined;
    for (const name of this.derived.names()) if (!owed.kept.has(name)) this.derived.remove(name);
    if (failure) throw failure.error;
  }

  /** Whether the GPU is lost; called after a failure. */
  async isLost(): Promise<boolean> {
    const { gpu } = this.#device;
    if (gpu) await lossReported(gpu.device);
    return gpu?.isLost ?? false;
  }

  async close(): Promise<void> {
    this.derived.clear();
    const data = this.#data;
    this.#data = undefined;
    await data?.release();
    await this.#trim();
  }

  unknownField(name: string): CrinkleError {
    const known = this.signatures().flatMap(({ name: field, values }) => (values ? [] : [`“${field}”`]));
    return new CrinkleError({
      tag: "UnknownName",
      problem: `There is no field “${name}”.`,
      remedy: known.length ? `The fields are ${known.join(", ")}.` : "The data set has no fields.",
    });
  }

  /** Gives back what statistics keep for the next ones. */
  async #trim(): Promise<void> {
    const { gpu } = this.#device;
    if (gpu) await trimPrimitives(gpu);
  }

  #gpu(): GpuContext {
    const gpu = this.#device.gpu;
    if (!gpu) {
      throw new CrinkleError({
        tag: "NoWebGPU",
        problem: "The session has no GPU.",
        remedy: "Execution strategies are for GPUs: leave the strategy out to compute on the CPU.",
      });
    }
    return gpu;
  }

  #hostData(): DataSet {
    const { dataSet } = this.data;
    const loaded = dataSet.fields.map((field) => {
      const value = this.data.value(field);
      return value.kind === "host" ? value.field : field;
    });
    const derived = this.derived.all().flatMap(({ value }) => (value.kind === "host" ? [value.field] : []));
    const hidden = new Set(derived.map(({ name }) => name));
    return { ...dataSet, fields: [...loaded.filter(({ name }) => !hidden.has(name)), ...derived] };
  }
}

/** The note of a text's steps, which are not kept. */
export function notKept(steps: readonly string[]): string {
  const names = steps.map(quoteName).join(", ");
  return steps.length === 1
    ? `${names} is an intermediate value and is not kept; compute it by itself to keep it.`
    : `${names} are intermediate values and are not kept; compute one by itself to keep it.`;
}

/** The names of the fields that a network reads. */
function* sourcesOf({ nodes }: Network): Iterable<string> {
  for (const node of nodes) if (node.kind === "source") yield node.field;
}

function mapValues<V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
