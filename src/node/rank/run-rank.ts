import { setTimeout } from "node:timers/promises";
import type { Epoch } from "../../cluster/membership/epoch.ts";
import { formatInvitation, type Invitation } from "../../cluster/room/invitation.ts";
import type { Addresses } from "../../cluster/transport/transport.ts";
import { CrinkleError, describeError } from "../../core/errors.ts";
import type { Terminal } from "../command-line/command.ts";
import { type RankOptions, type StartedRank, startRank } from "./start-rank.ts";

/** Milliseconds before a rank that was left out or cannot find the host tries again, doubled each time. */
const firstPauseMs = 500;
const maxPauseMs = 10_000;

export interface RunRankOptions extends Omit<RankOptions, "events" | "onReachable" | "formerMembers"> {
  /** Seconds to look for the host at first. */
  readonly joinTimeout: number;
}

/** Seconds that a guest waits for somebody to host the room again. */
const guestRejoin = 60;

/**
 * Runs a rank until SIGINT or SIGTERM: joins, reports what happens, and joins again as a new rank if the
 * others continued without it. The rank that opened the room reopens it if none of the others is left.
 * A guest's run ends, too, where nobody hosts the room any more. Rejects with Refused if the host declines or removes it,
 * otherwise with the error of the last attempt.
 */
export async function runRank(options: RunRankOptions, terminal: Terminal): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  // Launchers send several signals when they end a job; none of them may cut the goodbye short.
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  // Whoever started this process with a channel has ended.
  process.on("disconnect", end);
  try {
    let past: PreviousRun = { formerMembers: [], listen: options.listen };
    while (!stop.signal.aborted) {
      const isReturning = options.isGuest && past.formerMembers.length > 0;
      const given = isReturning ? { ...options, joinTimeout: guestRejoin } : options;
      try {
        past = await runOnce(given, past, terminal, stop.signal);
      } catch (error) {
        if (!isReturning || !isUnreachable(error)) throw error;
        terminal.err("Nobody hosts the room any more.");
        return;
      }
    }
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
    process.off("disconnect", end);
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof CrinkleError && error.tag === "Unreachable";

/** What a run passes on to the next one. */
interface PreviousRun {
  /** Where the other members were. */
  readonly formerMembers: readonly Addresses[];
  /** The rank that opened the room keeps its port, because others hold its link. */
  readonly listen: RankOptions["listen"];
}

/** One run as a rank: ends when it has left the room, voluntarily or not. */
async function runOnce(
  options: RunRankOptions,
  past: PreviousRun,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<PreviousRun> {
  let others = past.formerMembers;
  let onLeft: (error: CrinkleError) => void = () => {};
  const isOut = new Promise<CrinkleError>((resolve) => {
    onLeft = resolve;
  });
  const events: RankOptions["events"] = {
    onJoinRequest: (request) => {
      terminal.err(`${request.about.name} (${request.about.device}; ${request.about.gpu}) joins.`);
      request.admit();
    },
    onEpoch: (epoch) => {
      if (options.isGuest && epoch.rank === 0) onLeft(hostGone());
      else terminal.err(describeEpoch(epoch));
    },
    onChange: ({ epoch, members }) => {
      const now = members.filter(({ isSelf, rank }) => !isSelf && rank !== undefined);
      if (epoch && now.length > 0) others = now.map(({ addresses }) => addresses);
    },
    onLeft,
  };
  let wasReachable = true;
  const onReachable = (isReachable: boolean) => {
    if (isReachable !== wasReachable) {
      terminal.err(
        isReachable
          ? "The signalling server is reachable again."
          : "The signalling server is unreachable: existing links stay up, but nobody can join over WebRTC. It is retried.",
      );
    }
    wasReachable = isReachable;
  };
  const started = await rejoinOrReopen({ ...options, ...past, events, onReachable }, signal, terminal);
  if (!started) return past;
  if (options.opens) printInvitation(started, options.invitation, terminal);
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const why = await Promise.race([isOut, stopped]);
  if (why?.tag === "Refused") throw why;
  if (why) {
    terminal.err(`${why.problem} Joining again as a new rank.`);
    if (started.session.room.isHost) await started.leave();
  } else {
    await started.leave();
    terminal.err("Left the room.");
  }
  const port = Number(started.tcp.slice(started.tcp.lastIndexOf(":") + 1));
  return { formerMembers: others, listen: options.opens ? { ...options.listen, port } : options.listen };
}

/** If others continued the room that this rank opened, joins them; reopens it if none of them answers. */
async function rejoinOrReopen(
  options: RankOptions & { readonly joinTimeout: number },
  signal: AbortSignal,
  terminal: Terminal,
): Promise<StartedRank | undefined> {
  if (!options.opens || !options.formerMembers?.length) return startWithRetry(options, signal, terminal);
  try {
    return await startRank({ ...options, opens: false }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!isUnreachable(error)) throw error;
    return startWithRetry(options, signal, terminal);
  }
}

async function startWithRetry(
  options: RankOptions & { readonly joinTimeout: number },
  signal: AbortSignal,
  terminal: Terminal,
): Promise<StartedRank | undefined> {
  const giveUpAt = performance.now() + options.joinTimeout * 1000;
  let { formerMembers = [] } = options;
  let said = "";
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
    try {
      return await startRank({ ...options, formerMembers }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isUnreachable(error) || performance.now() + pause > giveUpAt) throw error;
      const sentence = `${describeError(error)} Trying again.`;
      // Who waits for a person may wait for hours.
      if (sentence !== said || Number.isFinite(options.joinTimeout)) terminal.err(sentence);
      said = sentence;
      await setTimeout(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      // The first one to answer may itself be looking for the host.
      formerMembers = [...formerMembers.slice(1), ...formerMembers.slice(0, 1)];
    }
  }
}

const hostGone = () =>
  new CrinkleError({ tag: "RankFailed", problem: "The page that hosts the room has left it." });

const describeEpoch = ({ number, rank, names }: Epoch): string =>
  `Epoch ${number}: rank ${rank} of ${names.length}${rank === 0 ? ", host" : ""}.`;

/** Prints the invitation, which programs may read, as the only line on standard output. */
function printInvitation({ tcp }: StartedRank, { key, at }: Invitation, terminal: Terminal): void {
  const [first] = tcp.split(",");
  terminal.out(formatInvitation({ key, at: "tcp" in at ? { tcp: first } : at }));
}
