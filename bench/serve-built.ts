import { type StaticServer, serve } from "../src/node/serve.ts";
import { signalling } from "../src/node/signalling/signalling.ts";
import { filesIn } from "../src/node/static/files.ts";

/** Serves a folder of built files on a free port of this machine, with signalling for rooms. */
export const serveBuilt = (root: string): Promise<StaticServer> =>
  serve({ page: filesIn(root), host: "localhost", port: 0, isPortFixed: true, signalling: signalling() });
