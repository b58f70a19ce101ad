import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { parseSignalling } from "../../cluster/transport/rtc/options.ts";
import { CrinkleError, describeError } from "../../core/errors.ts";
import { numberOption } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { certificateNames, networkAddresses } from "../lan/addresses.ts";
import { announcement } from "../lan/announcement.ts";
import { certificateFor } from "../lan/certificate.ts";
import { serve } from "../serve.ts";
import { builtPage } from "../static/packed-page.ts";

const defaultPort = 8470;

const options = {
  port: { type: "string", help: `Port to listen on (${defaultPort}, or the next free one)` },
  host: { type: "string", help: "Interface to listen on (localhost); 0.0.0.0 means all of them" },
  lan: { type: "boolean", help: "Also serve other machines on the network, over HTTPS" },
  signalling: {
    type: "string",
    help: "JSON file that names another PeerServer, STUN or TURN servers for ranks",
  },
  open: { type: "boolean", help: "Open the page in a browser" },
} as const;

/** Serves the built page until the process is stopped. */
export const serveCommand: Command<typeof options> = {
  name: "serve",
  usage: "serve [--port N] [--host NAME] [--lan] [--signalling FILE] [--open]",
  summary: "Serves the page and introduces ranks to each other, until stopped.",
  positionals: [],
  options,
  async run({ options: { port, host, lan = false, open, signalling: file } }, terminal) {
    const settings = file === undefined ? {} : readSettings(file);
    const wanted = port === undefined ? defaultPort : portNumber(port);
    const addresses = networkAddresses();
    const certificate = lan ? await certificateFor(certificateNames(addresses)) : undefined;
    const listensOn = host ?? (lan ? "0.0.0.0" : "localhost");
    const { signalling } = await import("../signalling/signalling.ts");
    const { url, port: got } = await serve({
      page: builtPage(),
      host: listensOn,
      port: wanted,
      isPortFixed: port !== undefined,
      signalling: signalling({}, settings),
      tls: certificate,
    });
    if (port === undefined && got !== wanted) terminal.err(`Port ${wanted} is taken; using ${got}.`);
    const isEverywhere = listensOn === "0.0.0.0" || listensOn === "::";
    const others = addresses
      .filter((address) => listensOn === "::" || (isEverywhere && !address.includes(":")))
      .map((address) => urlOf(address, got, certificate !== undefined));
    if (certificate) for (const line of announcement([...others, url], certificate)) terminal.out(line);
    else {
      terminal.out(`Crinkle is at ${url}`);
      for (const other of others) terminal.out(`              ${other}`);
      if (isEverywhere)
        terminal.err("Browsers offer WebGPU to HTTPS and localhost only: other machines need --lan.");
    }
    if (open) openInBrowser(url, terminal);
    await new Promise(() => {});
    return undefined;
  },
};

function urlOf(address: string, port: number, isSecure: boolean): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return `${isSecure ? "https" : "http"}://${host}:${port}/`;
}

/** The file's contents, checked as ranks will check them; the server may be left out. */
function readSettings(file: string): object {
  try {
    const given: unknown = JSON.parse(readFileSync(file, "utf8"));
    parseSignalling({ server: "http://localhost/", ...(given as object) });
    return given as object;
  } catch (cause) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The file ${file} is not a valid signalling configuration: ${describeError(cause)}`,
      remedy: 'Write, for example, {"iceServers": [{"urls": "stun:stun.example.org"}]}.',
      cause,
    });
  }
}

function portNumber(text: string): number {
  const port = numberOption("port", text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new CrinkleError({
      tag: "Usage",
      problem: `The option --port is ${text}.`,
      remedy: "Ports are whole numbers from 0 (any free one) to 65535.",
    });
  }
  return port;
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

function openInBrowser(url: string, terminal: Terminal): void {
  const [program, ...args] = openers[platform()] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () =>
    terminal.err(`No browser could be opened (${program}); open the address yourself.`),
  );
  child.unref();
}
