import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { Value } from "../../cluster/communicator/communicator.ts";
import { formatHostLink, type Invitation, parseInvitation } from "../../cluster/room/invitation.ts";
import { makeRoomKey } from "../../cluster/room-key.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { JobContext } from "../../core/job.ts";
import type { RankedRaw } from "../../embed/ranks.ts";
import type { DataSource } from "../../engine/ranks/data-source.ts";
import { describeJob } from "../../engine/ranks/describe-job.ts";
import { drawJob } from "../../engine/ranks/draw-job.ts";
import { gatherJob } from "../../engine/ranks/gather-job.ts";
import { type GroupAnswers, groupJob } from "../../engine/ranks/group-job.ts";
import { probeJob } from "../../engine/ranks/probe-job.ts";
import { statisticsJob } from "../../engine/ranks/statistics-job.ts";
import { usage } from "../command-line/arguments.ts";
import type { Terminal } from "../command-line/command.ts";
import { describeDevice } from "../device.ts";
import type { WantedDevice } from "../device-option.ts";
import type { JobRanks } from "../job-ranks.ts";
import { pathSource } from "../path-source.ts";
import { detectLauncher } from "../rank/launcher.ts";
import { nodeEngine } from "../rank/node-engine.ts";
import { runRank } from "../rank/run-rank.ts";
import { sourceAt, warning } from "../ranked-calls.ts";
import { warningsTo } from "./with-ranks.ts";

/** Seconds to look for the page that hosts the room. */
const joinTimeout = 60;

export interface RoomRunOptions {
  readonly file: string;
  /** Describes the file if it holds bare numbers. */
  readonly raw: RankedRaw | undefined;
  readonly room: PageRoom;
  readonly device: WantedDevice;
}

/** A page's room, or one that a page will open by `hostLink`. */
interface PageRoom {
  readonly invitation: Invitation;
  readonly hostLink: string | undefined;
}

/**
 * The room of a page's link; of a page's address, a new room that the page is yet to open. Throws Usage for the link of a room
 * without a page, and BadArgument for what is none of these.
 */
export function pageRoom(link: string): PageRoom {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.hash === "") {
    const key = makeRoomKey();
    return { invitation: { key, at: { page: url.href } }, hostLink: formatHostLink(url.href, key) };
  }
  const invitation = parseInvitation(link);
  if ("page" in invitation.at) return { invitation, hostLink: undefined };
  throw usage(
    "--room is given the link of a room without a page.",
    "Give a page's address, or the link that “Share” shows in it.",
  );
}

/**
 * Lets a page's room work with a file that the ranks have: rank 0 joins the room as one member, and has what the page asks
 * for computed by all ranks. Ends when the person stops it, or when nobody hosts the room any more. Throws BadFile where rank
 * 0 cannot read the file, and what `runRank` throws.
 */
export async function runInRoom(
  ranks: JobRanks,
  { file, raw, room: { invitation, hostLink }, device }: RoomRunOptions,
  terminal: Terminal,
): Promise<void> {
  if (ranks.rank > 0) {
    // Launchers signal all ranks; rank 0 ends them once it has left the room.
    const wait = () => {};
    process.on("SIGINT", wait);
    process.on("SIGTERM", wait);
    await ranks.serve();
    return;
  }
  pathSource(file);
  const { count, library } = ranks;
  const through = library === undefined ? "" : ` over ${library}`;
  terminal.err(`${count} ${count === 1 ? "rank waits" : "ranks wait"} for the page${through}.`);
  if (hostLink !== undefined) {
    terminal.err("Open this link in a browser, and the page sees the ranks:");
    terminal.out(hostLink);
  }
  const id = randomUUID();
  await runRank(
    {
      invitation,
      opens: false,
      isGuest: true,
      name: undefined,
      gpu: await describeDevice(device),
      group: { id, data: basename(file).slice(0, 200), ranks: count },
      engine: nodeEngine({ device }),
      jobs: [groupJob(answersOf(id, sourceAt(file, raw), ranks, warning(warningsTo(terminal))))],
      launcher: detectLauncher(process.env),
      listen: {},
      signalling: undefined,
      joinTimeout: hostLink === undefined ? joinTimeout : Number.POSITIVE_INFINITY,
    },
    terminal,
  );
}

const offered = [describeJob, statisticsJob, drawJob, probeJob, gatherJob];

/** The jobs that the page may ask for, all on the one file, whatever source it names. */
function answersOf(id: string, source: DataSource, ranks: JobRanks, warn: JobContext["warn"]): GroupAnswers {
  return {
    id,
    async run(name, parameters, context) {
      const job = offered.find((each) => each.name === name);
      if (!job) throw badMessage(`a group has no job ${JSON.stringify(name)}`);
      const given = { ...(parameters as Readonly<Record<string, Value>>), source };
      return ranks.run(job as typeof describeJob, (job as typeof describeJob).parse(given), {
        ...context,
        warn,
      });
    },
  };
}
