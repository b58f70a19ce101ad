import { randomBytes } from "node:crypto";
import { parseInvitation } from "../../cluster/room/invitation.ts";
import { parseRoomLimits, type RoomLimits } from "../../cluster/room/limits.ts";
import { keyBytes } from "../../cluster/room-key.ts";
import type { SignallingOptions } from "../../cluster/transport/rtc/options.ts";
import { parseSignalling } from "../../cluster/transport/rtc/options.ts";
import { CrinkleError } from "../../core/errors.ts";
import { type Arguments, bytesOption, numberOption } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { describeDevice } from "../device.ts";
import { deviceOption, type RankDevice, wantedDevice } from "../device-option.ts";
import { detectLauncher } from "../rank/launcher.ts";
import { nodeEngine } from "../rank/node-engine.ts";
import { runRank } from "../rank/run-rank.ts";

const options = {
  name: { type: "string", help: "Name shown to the others (default: the machine's name)" },
  device: deviceOption,
  data: { type: "string", help: "A file or a folder that the host's jobs may read here (default: none)" },
  address: { type: "string", help: "The address of a file that the host's jobs may read (default: none)" },
  out: { type: "string", help: "A folder that the host's jobs may write into here (default: none)" },
  listen: {
    type: "string",
    help: "HOST:PORT, HOST or :PORT for other Node ranks (default: all networks, any free port)",
  },
  signalling: { type: "string", help: "Address of the PeerServer, if it is not the page's own" },
  "join-timeout": { type: "string", help: "Seconds to look for the host (60)" },
  "max-ranks": { type: "string", help: "Maximum number of ranks while this one is host (32)" },
  "joins-per-minute": { type: "string", help: "Maximum number of join requests per minute (60)" },
  "max-message": { type: "string", help: "Longest message that others may send, such as 512MiB (2GiB)" },
} as const;

const room = "crinkle room [--listen HOST:PORT]";

/** Joins a room as a rank until stopped. */
export const rankCommand: Command<typeof options> = {
  name: "rank",
  usage: "rank LINK [--name NAME] [--listen HOST:PORT] [--device gpu|cpu|auto] [--data PATH] [--out FOLDER]",
  summary: "Joins the room of an invitation link as a rank, until stopped.",
  positionals: ["LINK"],
  options,
  async run({ positionals: [link], options: given }, terminal) {
    await runRank({ invitation: parseInvitation(link), opens: false, ...(await read(given)) }, terminal);
    return undefined;
  },
};

/** Opens a room without a page; its link is the first line of the output. */
export const roomCommand: Command<typeof options> = {
  name: "room",
  usage: "room [--listen HOST:PORT] [--name NAME]",
  summary: "Opens a room for Node ranks, prints its link, and is its first rank until stopped.",
  positionals: [],
  options,
  async run({ options: given }, terminal: Terminal) {
    const key = Uint8Array.from(randomBytes(keyBytes));
    await runRank({ invitation: { key, at: { tcp: "" } }, opens: true, ...(await read(given)) }, terminal);
    return undefined;
  },
};

async function read(given: Arguments<typeof options>["options"]) {
  // Ranks that draw are started so.
  const device: RankDevice = given.device === "any" ? "any" : wantedDevice(given.device);
  const joinTimeout =
    given["join-timeout"] === undefined ? 60 : numberOption("join-timeout", given["join-timeout"]);
  return {
    name: given.name,
    gpu: await describeDevice(device),
    engine: nodeEngine({ device, data: given.data, address: given.address, out: given.out }),
    launcher: detectLauncher(process.env),
    listen: parseListen(given.listen),
    signalling: parseServer(given.signalling),
    joinTimeout,
    limits: parseLimits(given),
  };
}

function parseLimits(given: Arguments<typeof options>["options"]): RoomLimits {
  const count = (name: "max-ranks" | "joins-per-minute") => {
    const text = given[name];
    return text === undefined ? undefined : numberOption(name, text);
  };
  const most = given["max-message"];
  return parseRoomLimits({
    ranks: count("max-ranks"),
    joinsPerMinute: count("joins-per-minute"),
    messageBytes: most === undefined ? undefined : bytesOption("max-message", most),
  });
}

function parseListen(text: string | undefined): { host?: string; port?: number } {
  if (text === undefined) return {};
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 0) > 65535) {
    throw new CrinkleError({
      tag: "Usage",
      problem: `The option --listen is ${text}.`,
      remedy: `Give an interface and a port, as in ${room.replace("HOST:PORT", "0.0.0.0:8471")}.`,
    });
  }
  return { host: host || undefined, port: port === undefined ? undefined : Number(port) };
}

const parseServer = (server: string | undefined): SignallingOptions | undefined =>
  server === undefined ? undefined : parseSignalling({ server });
