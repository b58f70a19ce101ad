import { randomBytes } from "node:crypto";
import { systemClock } from "../../cluster/clock.ts";
import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { communicatorOf } from "../../cluster/communicator/group-communicator.ts";
import type { World } from "../../cluster/communicator/world.ts";
import { meetToEnd } from "../../cluster/jobs/meet-to-end.ts";
import { formatInvitation, parseInvitation } from "../../cluster/room/invitation.ts";
import { makeMemberId, Room } from "../../cluster/room/room.ts";
import { keyBytes, type RoomKey } from "../../cluster/room-key.ts";
import { openTcpTransport } from "../../cluster/transport/tcp/tcp-transport.ts";
import type { WantedDevice } from "../device-option.ts";
import { LocalRanks } from "./local-ranks.ts";

/** How many ranks there are, and the link of their room, for the processes that the first one starts. */
const variable = "CRINKLE_PROGRAM_ROOM";

/** The ranks of a program as members of a room over TCP, on this machine. */
interface ProgramRoom {
  readonly world: Communicator;
  /** It has started the others. */
  readonly isFirst: boolean;
  /** Leaves the room when all that are left have called it. */
  end(): Promise<void>;
}

/**
 * Joins the room of the process that started this one; else opens a room, and starts this program in so many processes but one.
 * Throws Unreachable where one of them cannot join.
 */
export async function openProgramRoom(
  count: number,
  device: WantedDevice,
  log: (line: string) => void,
): Promise<ProgramRoom> {
  const given = process.env[variable];
  if (given !== undefined) {
    delete process.env[variable];
    endWithParent();
    const [size, link] = given.split(" ");
    const { key, at } = parseInvitation(link);
    const { world, leave } = await enter(key, Number(size), "tcp" in at ? at.tcp : "");
    return roomOf(await world, false, leave);
  }
  const key = Uint8Array.from(randomBytes(keyBytes));
  const others = new LocalRanks(log);
  const { world, address, leave } = await enter(key, count);
  const link = formatInvitation({ key, at: { tcp: address } });
  let all: World | undefined;
  world.then((joined) => {
    all = joined;
  });
  try {
    const [program, ...args] = process.argv.slice(1);
    others.start(count - 1, {
      command: () => [process.execPath, ...process.execArgv, program, ...args],
      usesGpus: device !== "cpu",
      env: { [variable]: `${count} ${link}` },
      passesOn: true,
    });
    await others.joined(() => all !== undefined);
  } catch (error) {
    others.stop();
    await leave();
    throw error;
  }
  return roomOf(await world, true, leave);
}

/** A process that another one started ends where that one is gone, and not by its channel's being open. */
function endWithParent(): void {
  process.once("disconnect", () => process.exit(1));
  process.channel?.unref();
}

/** Opens a room, or joins the one at an address; `world` resolves when so many ranks are there. */
async function enter(key: RoomKey, size: number, host?: string) {
  const transport = await openTcpTransport({ key, host: "127.0.0.1" });
  let begin: (world: World) => void = () => {};
  const world = new Promise<World>((resolve) => {
    begin = resolve;
  });
  const options = {
    key,
    id: makeMemberId(),
    about: { name: `process ${process.pid}`, device: `Node ${process.versions.node}`, gpu: "" },
    transports: [transport],
    clock: systemClock,
    onJoinRequest: (request: { admit(): void }) => request.admit(),
    onEpoch: (epoch: { readonly names: readonly string[]; readonly world: World }) => {
      if (epoch.names.length === size) begin(epoch.world);
    },
  };
  const room = host === undefined ? Room.open(options) : await Room.join(options, [{ tcp: host }]);
  const leave = async () => {
    await room.leave();
    await transport.drained();
  };
  return { world, address: transport.address, leave };
}

async function roomOf(all: World, isFirst: boolean, leave: () => Promise<void>): Promise<ProgramRoom> {
  const world = await communicatorOf(all).tuned(systemClock);
  const end = async () => {
    await meetToEnd(world);
    await leave();
  };
  return { world, isFirst, end };
}
