import { afterEach, describe, expect, test, vi } from "vitest";
import { noJob } from "../core/job.ts";
import { remoteSource } from "./remote-source.ts";

const url = "https://data.example/runs/ball%201.vti";
const mebibyte = 2 ** 20;

/** A server of one file: what is asked of it, and its answers. */
function serve(answer: (range: string) => Response | Promise<Response>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (_: URL, { headers }: { headers: { Range: string } }) => {
    asked.push(headers.Range);
    return answer(headers.Range);
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe("files on servers", () => {
  test("a small file is fetched whole, whether or not the server supports ranges, with progress", async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => i);
    for (const status of [200, 206]) {
      const asked = serve(() => new Response(bytes, { status, headers: { "content-length": "5000" } }));
      const fractions: number[] = [];
      const source = await remoteSource(url, { ...noJob, progress: (part) => fractions.push(part) });
      expect([source.name, source.size]).toEqual(["ball 1.vti", 5000]);
      expect(await source.read(100, 103)).toEqual(Uint8Array.of(100, 101, 102));
      expect(asked).toEqual(["bytes=0-"]);
      expect(fractions.at(-1)).toBe(1);
    }
  });

  test("of a large file pieces are fetched as they are read", async () => {
    const size = 100 * mebibyte;
    const asked = serve((range) => {
      const [from, to] = range.slice("bytes=".length).split("-").map(Number);
      const body = to ? new Uint8Array(to + 1 - from).fill(from / mebibyte) : new ReadableStream();
      return new Response(body, { status: 206, headers: { "content-length": String(size) } });
    });
    const source = await remoteSource(url, noJob);
    expect(source.size).toBe(size);
    expect(await source.read(40 * mebibyte, 40 * mebibyte + 2)).toEqual(Uint8Array.of(40, 40));
    expect(await source.read(47 * mebibyte, 48 * mebibyte - 1)).toHaveLength(mebibyte - 1);
    expect(await source.read(size - 1, size)).toEqual(Uint8Array.of(99));
    expect(asked).toEqual([
      "bytes=0-",
      `bytes=${40 * mebibyte}-${48 * mebibyte - 1}`,
      `bytes=${size - 1}-${size - 1}`,
    ]);
  });

  test("an address whose name is not written in UTF-8 keeps that name as it stands", async () => {
    serve(() => new Response(Uint8Array.of(1)));
    const source = await remoteSource("https://data.example/100%25%E4.vti", noJob);
    expect(source.name).toBe("100%25%E4.vti");
  });

  test("each failure names the file, the server and the way out", async () => {
    await expect(remoteSource("ball.vti", noJob)).rejects.toMatchObject({ tag: "BadArgument" });
    await expect(remoteSource("file:///ball.vti", noJob)).rejects.toThrow("https://");
    serve(() => {
      throw new TypeError("Failed to fetch");
    });
    await expect(remoteSource(url, noJob)).rejects.toThrow(/“ball 1.vti”.*data.example.*CORS.*download/);
    serve(() => new Response(undefined, { status: 404, statusText: "Not Found" }));
    await expect(remoteSource(url, noJob)).rejects.toThrow(/answered 404 Not Found\./);
    serve(() => new Response(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) })));
    await expect(remoteSource(url, noJob)).rejects.toMatchObject({ tag: "BadFile" });
  });

  test("a cancelled job ends the fetch", async () => {
    const controller = new AbortController();
    serve(() => {
      controller.abort();
      throw new DOMException("aborted", "AbortError");
    });
    const job = { ...noJob, signal: controller.signal };
    await expect(remoteSource(url, job)).rejects.toMatchObject({ tag: "Cancelled" });
  });
});
