import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { CrinkleError } from "../core/errors.ts";
import { refuseUpgrade } from "./signalling/refuse-upgrade.ts";
import type { Signalling } from "./signalling/signalling.ts";
import type { FindFile } from "./static/files.ts";
import { staticHandler } from "./static/handler.ts";

export interface ServeOptions {
  /** The built page. */
  readonly page: FindFile;
  /** Interface to listen on; "localhost" is this machine alone. */
  readonly host: string;
  readonly port: number;
  /** Whether a port in use is an error rather than a reason to take the next free one. */
  readonly isPortFixed: boolean;
  /** The signalling server, which introduces ranks to each other at its own path. */
  readonly signalling?: Signalling;
  /** Private key and certificate, as PEM: the page is served over HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface StaticServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Number of ports tried above the requested one. */
const portsTried = 50;

/** Serves the built page with cross-origin isolation. Throws BadArgument if no port is available. */
export async function serve(options: ServeOptions): Promise<StaticServer> {
  const { page, host, port, isPortFixed, signalling, tls } = options;
  const handle = staticHandler(page);
  const answer: RequestListener = (request, response) => {
    if (signalling?.request(request, response)) return;
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" });
      response.destroy(error instanceof Error ? error : undefined);
    });
  };
  const server = tls ? createSecureServer(tls, answer) : createServer(answer);
  if (signalling) {
    server.on("upgrade", (request, socket, head) => {
      if (!signalling.upgrade(request, socket, head)) refuseUpgrade(socket, "404 Not Found");
    });
  }
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
    url: `${tls ? "https" : "http"}://${isAny ? "localhost" : host.includes(":") ? `[${host}]` : host}:${address.port}/`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        signalling?.close();
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
    EADDRNOTAVAIL: [`${host} is not an address of this machine.`, "Give another --host."],
    ENOTFOUND: [`The host ${host} is unknown.`, "Give another --host."],
  };
  const [problem, remedy] = reasons[String(code)] ?? [
    `Port ${port} on ${host} cannot be opened: ${String(cause)}.`,
    "Give another --port or --host.",
  ];
  return new CrinkleError({ tag: "BadArgument", problem, remedy, cause });
}
