import type { JobContext } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import type { StoredData } from "../../data/stored.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import type { CpuWorkers } from "../../lang/expression/execute/cpu/workers.ts";
import type { EngineDevice } from "../device.ts";
import { JobQueue, nothingOpen } from "../jobs.ts";
import type { DataSource } from "./data-source.ts";
import type { KeptDivision } from "./division.ts";
import { KeptData, type ReadSource } from "./kept-data.ts";
import { KeptParts } from "./kept-parts.ts";
import type { Pace } from "./paces.ts";
import type { SurfacePart } from "./surface-part.ts";

/** What a rank has for its part of a job: a device, threads and data. A page's is the engine that the person uses. */
export interface RankEngine {
  readonly workers: CpuWorkers | undefined;
  /** How the data of its last job were divided. */
  division?: KeptDivision;
  /** How fast it evaluated expressions in its latest jobs. */
  paces?: readonly Pace[];
  /** What its parts of earlier surfaces have left for the next. */
  readonly kept: KeptParts<SurfacePart>;
  /** Opened when first asked for, and again when it has been lost. */
  device(): Promise<EngineDevice>;
  /**
   * Runs a part of a job when it is its turn among what this engine was asked for: one thing runs after the other, whoever
   * asked, and each of them ends, so that neither the person here nor the room waits for ever. `isOwn`: the person here
   * asked for it, and can cancel it.
   */
  runPart<T>(title: string, isOwn: boolean, work: (job: JobContext) => Promise<T>): Promise<T>;
  /** Called by what has the turn while it waits for other ranks, whose earlier jobs may need a turn here first. */
  lendTurn<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The data, where this rank may and can read them; kept until others are asked for, fields with the box that was read
   * last. Throws what readers throw.
   */
  read(source: DataSource, job: JobContext): Promise<StoredData | PointSet | undefined>;
  /** Bytes that this engine has read from files so far. */
  readonly bytesRead: number;
  /** Writes a file at a path where this rank may; a rank without it writes none. Throws Refused or BadArgument. */
  readonly write?: (path: string, chunks: Chunks) => Promise<void>;
  /** What other ranks need, to compute what a text means here. Throws BadArgument where no grid is open. */
  described(text: string): DescribedText;
}

/** A text with those of the derived fields that it reads before it, and the data that it speaks of. */
export interface DescribedText {
  readonly source: DataSource;
  readonly text: string;
  /** The names of the text's own results. */
  readonly results: readonly string[];
  /** The blocks in which the person wants them computed. */
  readonly blocks: WantedBlocks;
}

/** What a rank without a page is made of. */
export interface OwnEngineOptions {
  readonly workers?: CpuWorkers;
  openDevice(): Promise<EngineDevice>;
  read: ReadSource;
  readonly write?: RankEngine["write"];
}

/** The engine of a rank that does nothing else. */
export class OwnEngine implements RankEngine {
  division: RankEngine["division"];
  paces: RankEngine["paces"];
  readonly workers: CpuWorkers | undefined;
  readonly kept = new KeptParts<SurfacePart>();
  readonly write: RankEngine["write"];
  readonly #data: KeptData;
  readonly #openDevice: OwnEngineOptions["openDevice"];
  readonly #jobs = new JobQueue({ progress: () => {}, ended: () => {} });
  #device: Promise<EngineDevice> | undefined;

  constructor({ workers, openDevice, read, write }: OwnEngineOptions) {
    this.workers = workers;
    this.#openDevice = openDevice;
    this.#data = new KeptData(read);
    this.write = write;
  }

  get bytesRead(): number {
    return this.#data.bytesRead;
  }

  read: RankEngine["read"] = (source, job) => this.#data.read(source, job);

  async device(): Promise<EngineDevice> {
    const opened = await this.#device?.catch(() => undefined);
    if (!opened || opened.gpu?.isLost) this.#device = this.#openDevice();
    return this.#device as Promise<EngineDevice>;
  }

  runPart<T>(title: string, isOwn: boolean, work: (job: JobContext) => Promise<T>): Promise<T> {
    return this.#jobs.runPart(title, isOwn, work);
  }

  lendTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#jobs.lend(work);
  }

  described(): never {
    throw nothingOpen();
  }
}
