import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { acceptedEncoding, compress, type Encoding } from "./encoding.ts";
import { type FindFile, isHashed, type StaticFile } from "./files.ts";
import { isCompressible, mediaType } from "./mime.ts";
import { parseRange } from "./ranges.ts";

/** Cross-origin isolation: SharedArrayBuffer and fine timers need it, workers included. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "credentialless",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Answers GET and HEAD with the files that are found. Compressed forms are made once and kept in memory. */
export function staticHandler(
  findFile: FindFile,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const compressed = new Map<string, Promise<Uint8Array>>();

  function compressedForm(file: StaticFile, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${file.tag} ${file.path}`;
    let form = compressed.get(key);
    if (!form) {
      form = buffer(file.read(0, file.size)).then((bytes) => compress(bytes, encoding));
      form.catch(() => compressed.delete(key));
      compressed.set(key, form);
    }
    return form;
  }

  return async (request, response) => {
    for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return refuse(response, 405, "Only GET and HEAD are answered here.");
    }
    const file = await findFile(request.url ?? "/");
    if (!file) return refuse(response, 404, "There is nothing here.");

    const type = mediaType(file.path);
    const { range: asked, "if-range": onlyOf } = request.headers;
    // A part of a file that has changed would not fit the parts had before (RFC 9110 § 13.1.5).
    const rangeHeader = onlyOf === undefined || onlyOf === `"${file.tag}"` ? asked : undefined;
    const canCompress = isCompressible(type);
    const encoding =
      canCompress && !rangeHeader ? acceptedEncoding(request.headers["accept-encoding"]) : undefined;
    const tag = `"${file.tag}${encoding ? `-${encoding}` : ""}"`;
    response.setHeader("Content-Type", type);
    response.setHeader("ETag", tag);
    response.setHeader("Accept-Ranges", "bytes");
    response.setHeader(
      "Cache-Control",
      isHashed(file.path) ? "public, max-age=31536000, immutable" : "no-cache",
    );
    if (canCompress) response.setHeader("Vary", "Accept-Encoding");
    if (matches(request.headers["if-none-match"], tag)) {
      response.writeHead(304).end();
      return;
    }

    if (encoding) {
      const bytes = await compressedForm(file, encoding);
      response.writeHead(200, { "Content-Encoding": encoding, "Content-Length": bytes.length });
      response.end(request.method === "HEAD" ? undefined : bytes);
      return;
    }
    const range = parseRange(rangeHeader, file.size);
    if (range === "unsatisfiable") {
      response.setHeader("Content-Range", `bytes */${file.size}`);
      return refuse(response, 416, `The file has ${file.size} bytes.`);
    }
    const { from, to } = range ?? { from: 0, to: file.size };
    if (range) response.setHeader("Content-Range", `bytes ${from}-${to - 1}/${file.size}`);
    response.writeHead(range ? 206 : 200, { "Content-Length": to - from });
    if (request.method === "HEAD" || to === from) response.end();
    else await pipeline(file.read(from, to), response);
  };
}

function matches(header: string | undefined, tag: string): boolean {
  const candidates = (header ?? "").split(",").map((part) => part.trim().replace(/^W\//, ""));
  return candidates.includes(tag) || candidates.includes("*");
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${status} ${text}\n`);
}
