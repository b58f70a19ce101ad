import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { filesIn } from "../../src/node/static/files.ts";
import { staticHandler } from "../../src/node/static/handler.ts";

/** A server that lets any page read a folder's files, by ranges. */
export interface FolderServer {
  readonly url: string;
  /** Ranges of the requests so far, undefined for those of a whole file. */
  readonly ranges: readonly (string | undefined)[];
  close(): void;
}

export async function serveFolder(folder: string): Promise<FolderServer> {
  const ranges: (string | undefined)[] = [];
  const handle = staticHandler(filesIn(folder));
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    response.setHeader("Access-Control-Allow-Origin", "*");
    // A page that has seen enough of a file closes the connection.
    handle(request, response).catch(() => {});
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    ranges,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
