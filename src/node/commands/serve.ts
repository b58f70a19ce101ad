import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { networkInterfaces, platform } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CrinkleError } from "../../core/errors.ts";
import { numberOption } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { serve } from "../serve.ts";
import { signalling } from "../signalling/signalling.ts";

const defaultPort = 8470;

const options = {
  port: { type: "string", help: `Port to listen on (${defaultPort}, or the next free one)` },
  host: { type: "string", help: "Interface to listen on (localhost); 0.0.0.0 is all of them" },
  open: { type: "boolean", help: "Open the page in a browser" },
} as const;

/** Serves the built page until the process is stopped. */
export const serveCommand: Command<typeof options> = {
  name: "serve",
  usage: "serve [--port N] [--host NAME] [--open]",
  summary: "Serves the page on this machine until stopped.",
  positionals: [],
  options,
  async run({ options: { port, host = "localhost", open } }, terminal) {
    const wanted = port === undefined ? defaultPort : portNumber(port);
    const { url, port: got } = await serve({
      root: builtPage(),
      host,
      port: wanted,
      isPortFixed: port !== undefined,
      signalling: signalling(),
    });
    if (port === undefined && got !== wanted) terminal.err(`Port ${wanted} is taken; using ${got}.`);
    terminal.out(`Crinkle is at ${url}`);
    if (host === "0.0.0.0" || host === "::") tellNetworkAddresses(got, terminal);
    if (open) openInBrowser(url, terminal);
    await new Promise(() => {});
    return undefined;
  },
};

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

/** dist/web, beside the folder that this program was bundled into. */
function builtPage(): string {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..", "web");
  if (!existsSync(join(root, "index.html"))) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The page is not built: ${root} has no index.html.`,
      remedy: "Run npm run build, or npm start, which builds it.",
    });
  }
  return root;
}

function tellNetworkAddresses(port: number, terminal: Terminal): void {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of addresses) terminal.out(`             http://${address}:${port}/`);
  terminal.err("Browsers give WebGPU to HTTPS and localhost only: from other machines, put HTTPS before it.");
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
