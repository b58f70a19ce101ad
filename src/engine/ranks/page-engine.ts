import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { storedInMemory } from "../../data/stored.ts";
import type { CpuWorkers } from "../../lang/expression/execute/cpu/workers.ts";
import type { JobQueue } from "../jobs.ts";
import type { Session } from "../session.ts";
import type { DataSource } from "./data-source.ts";
import { describedText } from "./described-text.ts";
import { KeptData } from "./kept-data.ts";
import { KeptParts } from "./kept-parts.ts";
import type { RankEngine } from "./rank-engine.ts";

/** What a page's engine has that jobs of a room work with. */
export interface PageParts {
  readonly workers: CpuWorkers | undefined;
  readonly jobs: JobQueue;
  /** Throws BadArgument before the engine has been started. */
  session(): Session;
  /** Where other ranks find what is open. */
  source(): DataSource | undefined;
  /** The blocks in which the person wants the ranks to compute. */
  blocks(): WantedBlocks;
}

/** What jobs of a room work with in a page: the person's own device and data, between the person's own jobs. */
export function pageEngine({ workers, jobs, session, source, blocks }: PageParts): RankEngine {
  const others = new KeptData(async (wanted, job, onRead) => {
    const { readInPage } = await import("./page-data.ts");
    return readInPage(wanted, job, onRead);
  });
  return {
    workers,
    kept: new KeptParts(),
    device: async () => session().device,
    runPart: (title, isOwn, work) => jobs.runPart(title, isOwn, work),
    lendTurn: (work) => jobs.lend(work),
    read: async (wanted, job) => {
      const isOpen = JSON.stringify(wanted) === JSON.stringify(source());
      if (isOpen && session().data.hasValues) return storedInMemory(session().data.dataSet);
      return others.read(wanted, job);
    },
    get bytesRead() {
      return others.bytesRead;
    },
    described: (text) => describedText(session(), source(), blocks(), text),
  };
}
