import { setTimeout } from "node:timers/promises";
import type { Epoch } from "../../cluster/membership/epoch.ts";
import { formatInvitation, type Invitation } from "../../cluster/room/invitation.ts";
import { CrinkleError, describeError } from "../../core/errors.ts";
import type { Terminal } from "../command-line/command.ts";
import { type RankOptions, type StartedRank, startRank } from "./start-rank.ts";

/** Milliseconds before a rank that was left out, or does not find the host, tries again: doubled each time. */
const firstPause = 500;
const longestPause = 10_000;

export interface KeepOptions extends Omit<RankOptions, "events" | "reachable"> {
  /** Seconds to look for the host at first. */
  readonly patience: number;
}

/**
 * Runs a rank until SIGINT or SIGTERM: joins, tells what happens, and joins again as a new rank where the others went on
 * without it. Rejects with what the first attempt was refused for, or what came of the last one.
 */
export async function keepRank(options: KeepOptions, terminal: Terminal): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  try {
    while (!stop.signal.aborted) await runOnce(options, terminal, stop.signal);
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
  }
}

/** One life as a rank: ends when it has left the room, by its own wish or not. */
async function runOnce(options: KeepOptions, terminal: Terminal, signal: AbortSignal): Promise<void> {
  let left: (problem: string) => void = () => {};
  const isOut = new Promise<string>((resolve) => {
    left = resolve;
  });
  const events: RankOptions["events"] = {
    asked: (request) => {
      terminal.err(`${request.about.name} (${request.about.device}; ${request.about.gpu}) joins.`);
      request.admit();
    },
    began: (epoch) => terminal.err(describeEpoch(epoch)),
    left,
  };
  const reachable = (isReachable: boolean) =>
    terminal.err(
      isReachable
        ? "The signalling server is in reach again."
        : "The signalling server is out of reach: links live on, nobody new joins over WebRTC.",
    );
  const started = await startPatiently({ ...options, events, reachable }, signal, terminal);
  if (!started) return;
  if (options.opens) tellInvitation(started, options.invitation, terminal);
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const why = await Promise.race([isOut, stopped]);
  if (why === undefined) {
    await started.session.room.leave();
    terminal.err("Left the room.");
  } else terminal.err(`${why} Joining again as a new rank.`);
}

async function startPatiently(
  options: RankOptions & { readonly patience: number },
  signal: AbortSignal,
  terminal: Terminal,
): Promise<StartedRank | undefined> {
  const giveUpAt = performance.now() + options.patience * 1000;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await startRank(options, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const mayCome = error instanceof CrinkleError && error.tag === "Unreachable";
      if (!mayCome || performance.now() + pause > giveUpAt) throw error;
      terminal.err(`${describeError(error)} Trying again.`);
      await setTimeout(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
    }
  }
}

const describeEpoch = ({ number, rank, names }: Epoch): string =>
  `Epoch ${number}: rank ${rank} of ${names.length}${rank === 0 ? ", host" : ""}.`;

/** How others join: the whole line on standard output, for programs that read it. */
function tellInvitation({ tcp }: StartedRank, { key, at }: Invitation, terminal: Terminal): void {
  const [first] = tcp.split(",");
  terminal.out(formatInvitation({ key, at: "tcp" in at ? { tcp: first } : at }));
}
