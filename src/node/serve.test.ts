import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StaticServer, serve } from "./serve.ts";
import { filesIn } from "./static/files.ts";

const text = "export const answer = 42;\n".repeat(200);
let folder: string;
let server: StaticServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-serve-"));
  const root = join(folder, "web");
  await mkdir(join(root, "assets"), { recursive: true });
  await writeFile(join(root, "index.html"), "<!doctype html><title>Crinkle</title>");
  await writeFile(join(root, "assets", "main-BbC3dE4f.js"), text);
  await writeFile(
    join(root, "field.vti"),
    Uint8Array.from({ length: 1000 }, (_, i) => i & 255),
  );
  await writeFile(join(folder, "secret.txt"), "secret");
  await symlink(join(folder, "secret.txt"), join(root, "link.txt"));
  server = await serve({ page: filesIn(root), host: "127.0.0.1", port: 0, isPortFixed: true });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** A request whose path goes out exactly as written: fetch would clean it. */
function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port: server.port, path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

describe("serve", () => {
  it("answers / with the page, cross-origin isolated", async () => {
    const { status, headers, body } = await get("/?theme=dark");
    expect(status).toBe(200);
    expect(body.toString()).toContain("<title>Crinkle</title>");
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "credentialless",
      "cache-control": "no-cache",
    });
  });

  it("sends hashed assets compressed, for ever, and not again where the tag is known", async () => {
    const path = "/assets/main-BbC3dE4f.js";
    const first = await get(path, { "accept-encoding": "gzip, br;q=0" });
    expect(first.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(gunzipSync(first.body).toString()).toBe(text);
    const again = await get(path, {
      "accept-encoding": "gzip",
      "if-none-match": String(first.headers.etag),
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const plain = await get(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.etag).not.toBe(first.headers.etag);
    expect(plain.body.toString()).toBe(text);
  });

  it.each([
    ["bytes=10-19", 206, "bytes 10-19/1000", 10, 10],
    ["bytes=990-2000", 206, "bytes 990-999/1000", 990, 10],
    ["bytes=-5", 206, "bytes 995-999/1000", 995, 5],
    ["bytes=5-", 206, "bytes 5-999/1000", 5, 995],
    ["bytes=0-1,5-6", 200, undefined, 0, 1000],
    ["lines=1-2", 200, undefined, 0, 1000],
  ])("answers the range %s", async (range, status, contentRange, first, length) => {
    const answer = await get("/field.vti", { range });
    expect(answer.status).toBe(status);
    expect(answer.headers["content-range"]).toBe(contentRange);
    expect(answer.body.length).toBe(length);
    expect(answer.body[0]).toBe(first & 255);
  });

  it("answers a range of another version of the file with the whole file", async () => {
    const { headers } = await get("/field.vti");
    const ask = (tag: string) => get("/field.vti", { range: "bytes=0-9", "if-range": tag });
    expect((await ask(String(headers.etag))).body.length).toBe(10);
    const other = await ask('"another"');
    expect([other.status, other.body.length]).toEqual([200, 1000]);
  });

  it("refuses a range beyond the end with the file's size", async () => {
    const { status, headers } = await get("/field.vti", { range: "bytes=1000-" });
    expect(status).toBe(416);
    expect(headers["content-range"]).toBe("bytes */1000");
  });

  it.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/../../secret.txt",
    "/..\\secret.txt",
    "/link.txt",
    "/index.html%00.js",
    "/%",
    "/assets",
    "/nothing",
  ])("has nothing at %s", async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body.toString()).not.toContain("secret");
  });

  it("answers HEAD without a body and refuses other methods", async () => {
    const head = await get("/field.vti", {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, "1000", 0]);
    const post = await get("/", {}, "POST");
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it("takes the next free port, or says that the asked one is taken", async () => {
    const { port } = server;
    const next = await serve({ page: filesIn(folder), host: "127.0.0.1", port, isPortFixed: false });
    expect(next.port).toBeGreaterThan(port);
    await next.close();
    await expect(
      serve({ page: filesIn(folder), host: "127.0.0.1", port, isPortFixed: true }),
    ).rejects.toThrow(`Port ${port} is taken on 127.0.0.1. Stop what uses it, or give another --port.`);
  });
});
