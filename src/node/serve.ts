import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CrinkleError } from "../core/errors.ts";
import { staticHandler } from "./static/handler.ts";

export interface ServeOptions {
  /** Folder of the built page. */
  readonly root: string;
  /** Interface to listen on; "localhost" is this machine alone. */
  readonly host: string;
  readonly port: number;
  /** Whether a taken port is an error, rather than a reason to take the next free one. */
  readonly isPortFixed: boolean;
}

export interface StaticServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** How many ports above the wanted one are tried. */
const portsTried = 50;

/** Serves the built page with cross-origin isolation. Throws BadArgument where no port can be had. */
export async function serve({ root, host, port, isPortFixed }: ServeOptions): Promise<StaticServer> {
  const handle = staticHandler(root);
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" });
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  const last = isPortFixed || port === 0 ? port : Math.min(port + portsTried, 65535);
  for (let candidate = port; ; candidate++) {
    try {
      await listen(server, host, candidate);
      break;
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
      if (code === "EADDRINUSE" && candidate < last) continue;
      throw cannotListen(host, candidate, code, cause);
    }
  }
  const address = server.address() as AddressInfo;
  const isAny = host === "0.0.0.0" || host === "::";
  return {
    url: `http://${isAny ? "localhost" : host.includes(":") ? `[${host}]` : host}:${address.port}/`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function cannotListen(host: string, port: number, code: unknown, cause: unknown): CrinkleError {
  const reasons: Record<string, [string, string]> = {
    EADDRINUSE: [`Port ${port} is taken on ${host}.`, "Stop what uses it, or give another --port."],
    EACCES: [`Port ${port} needs rights that this account lacks.`, "Give a --port of 1024 or more."],
    EADDRNOTAVAIL: [`${host} is no address of this machine.`, "Give another --host."],
    ENOTFOUND: [`The host ${host} is unknown.`, "Give another --host."],
  };
  const [problem, remedy] = reasons[String(code)] ?? [
    `Port ${port} on ${host} cannot be opened: ${String(cause)}.`,
    "Give another --port or --host.",
  ];
  return new CrinkleError({ tag: "BadArgument", problem, remedy, cause });
}
