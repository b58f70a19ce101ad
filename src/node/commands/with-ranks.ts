import { dirname, resolve } from "node:path";
import type { Terminal } from "../command-line/command.ts";
import type { WantedDevice } from "../device-option.ts";
import { takeGpu } from "../gpus/take.ts";
import type { JobRanks, JobRanksOptions } from "../job-ranks.ts";
import type { RankedCalls } from "../ranked-calls.ts";
import { ownRanks } from "./own-ranks.ts";

interface RanksOptions {
  /** Loads the job that the ranks are asked for, while they start. */
  load?(): Promise<unknown>;
  readonly device: WantedDevice;
  /** The file that all ranks read, if any. */
  readonly file?: string;
  /** The file that they write together, if any. */
  readonly out?: string;
  /** What `--ranks` says; `usual` ranks where it is left out. */
  readonly given: string | undefined;
  readonly usual: number;
}

/** Runs `work` with ranks: those that MPI has launched, or this process and others that it starts. Throws Usage. */
export async function withRanks<R>(
  { load, device, file, out, given, usual }: RanksOptions,
  terminal: Terminal,
  work: (ranks: RankedCalls) => Promise<R>,
): Promise<R> {
  const count = ownRanks(given, usual, process.env);
  if (count !== undefined) {
    const { openRanks } = await import("../ranks.ts");
    const loaded = load?.();
    const ranks = await openRanks({
      count,
      device,
      ...(file === undefined ? {} : { data: file }),
      out: out === undefined ? undefined : dirname(resolve(out)),
      log: terminal.err,
    });
    try {
      await loaded;
      if (device !== "cpu" && count > 1) await takeGpu(0);
      terminal.err(`${count === 1 ? "1 rank computes" : `${count} ranks compute`}.`);
      return await work(ranks);
    } finally {
      await ranks.close();
    }
  }
  const { openMpiRanks } = await import("../mpi-ranks.ts");
  const ranks = await openMpiRanks(device, terminal.err);
  if (ranks.rank === 0) terminal.err(`${ranks.count} ranks compute over ${ranks.library}.`);
  const result = await work(ranks);
  await ranks.close();
  return result;
}

/** The same with ranks that wait for rank 0's jobs. */
export async function withJobRanks<R>(
  {
    device,
    file,
    address,
    given,
    usual,
  }: Pick<RanksOptions, "given" | "usual"> & Pick<JobRanksOptions, "device" | "file" | "address">,
  terminal: Terminal,
  work: (ranks: JobRanks) => Promise<R>,
): Promise<R> {
  const { openLocalJobRanks, openMpiJobRanks } = await import("../job-ranks.ts");
  const options = { device, file, address, log: terminal.err };
  const count = ownRanks(given, usual, process.env);
  if (count !== undefined) {
    const ranks = await openLocalJobRanks(count, options);
    try {
      return await work(ranks);
    } finally {
      await ranks.close();
    }
  }
  const ranks = await openMpiJobRanks(options);
  const result = await work(ranks);
  await ranks.close();
  return result;
}

/** Prints each warning of a command's jobs once. */
export function warningsTo(terminal: Terminal): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (!said.has(sentence)) terminal.err(sentence);
    said.add(sentence);
  };
}

export function reportLoss(count: number, terminal: Terminal): void {
  terminal.err(
    count === 1
      ? "A rank was lost; the others compute its part, too."
      : `${count} ranks were lost; the others compute their parts, too.`,
  );
}
