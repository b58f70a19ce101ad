import { CrinkleError, cancelled, isCancelled } from "../core/errors.ts";
import { formatBytes } from "../core/format.ts";
import { checkCancelled, type JobContext } from "../core/job.ts";
import { bytesSource, type Source } from "../data/source.ts";

/** How a file is fetched. */
interface FetchOptions {
  /** Larger files are read piece by piece if the server allows it, so that they are never in memory as a whole. */
  readonly wholeUpTo: number;
  /** Minimum bytes of a request, so that small reads do not each wait for the network. */
  readonly pieceBytes: number;
  /** Ends requests for pieces. */
  readonly signal: AbortSignal;
  /** Gets the number of bytes of what has been fetched. */
  onFetched(bytes: number): void;
}

/**
 * A file on a server as bytes. The server must allow the page to read it (CORS). Throws BadFile if it does not, cannot
 * be reached or has no such file, BadArgument for an invalid address, and Cancelled.
 */
export async function remoteSource(
  address: string,
  job: JobContext,
  options: Partial<FetchOptions> = {},
): Promise<Source> {
  const how: FetchOptions = {
    wholeUpTo: 64 * 2 ** 20,
    pieceBytes: 8 * 2 ** 20,
    signal: job.signal,
    onFetched: () => {},
    ...options,
  };
  const url = parseAddress(address);
  const name = decoded(url.pathname.split("/").at(-1) || url.hostname);
  const whole = new AbortController();
  const abort = () => whole.abort();
  job.signal.addEventListener("abort", abort);
  try {
    const response = await request(url, name, whole.signal, "bytes=0-");
    const size = Number(response.headers.get("content-length") ?? Number.NaN);
    if (response.status === 206 && size > how.wholeUpTo) {
      whole.abort();
      return pieces(url, name, size, how);
    }
    const bytes = await readBody(response, name, size, job);
    how.onFetched(bytes.length);
    return bytesSource(bytes, name);
  } catch (error) {
    throw job.signal.aborted ? cancelled(`Fetching ${name}`) : error;
  } finally {
    job.signal.removeEventListener("abort", abort);
  }
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `“${address}” is not the address of a file on the web.`,
    remedy: "Write one that begins with https://.",
  });
}

/** Unchanged if its percent escapes are not valid UTF-8. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function request(url: URL, name: string, signal: AbortSignal, range: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal, headers: { Range: range } });
  } catch (cause) {
    if (isCancelled(cause) || signal.aborted) throw cause;
    throw new CrinkleError({
      tag: "BadFile",
      problem: `“${name}” could not be fetched from ${url.host}: it does not respond, or does not let pages of other sites read its files (CORS).`,
      remedy: "Check the address; if it is right, download the file and open it from your disk.",
      cause,
    });
  }
  if (response.ok) return response;
  throw new CrinkleError({
    tag: "BadFile",
    problem:
      `“${name}” could not be fetched: ${url.host} answered ${response.status} ${response.statusText}`.trim() +
      ".",
    remedy: "Check the address.",
  });
}

/** `size` is NaN if the server does not report it. */
async function readBody(
  response: Response,
  name: string,
  size: number,
  job: JobContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
      job.progress(length <= size ? length / size : 0, `Fetching ${name}: ${formatBytes(length)}`);
    }
  } catch (cause) {
    checkCancelled(job, `Fetching ${name}`);
    throw brokenOff(name, length, cause);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A source that fetches each range that is read, and keeps the latest piece. */
function pieces(
  url: URL,
  name: string,
  size: number,
  { pieceBytes, signal, onFetched }: FetchOptions,
): Source {
  let kept = { from: 0, bytes: new Uint8Array(0) };
  return {
    name,
    size,
    async read(from, to) {
      const isKept = from >= kept.from && to <= kept.from + kept.bytes.length;
      if (!isKept) {
        const end = Math.min(size, Math.max(to, from + pieceBytes));
        const response = await request(url, name, signal, `bytes=${from}-${end - 1}`);
        let bytes: Uint8Array<ArrayBuffer>;
        try {
          bytes = new Uint8Array(await response.arrayBuffer());
        } catch (cause) {
          throw signal.aborted ? cancelled(`Fetching ${name}`) : brokenOff(name, from, cause);
        }
        if (response.status !== 206 || bytes.length !== end - from) throw brokenOff(name, from, undefined);
        onFetched(bytes.length);
        kept = { from, bytes };
      }
      return kept.bytes.slice(from - kept.from, to - kept.from);
    },
  };
}

const brokenOff = (name: string, at: number, cause: unknown): CrinkleError =>
  new CrinkleError({
    tag: "BadFile",
    problem: `Fetching “${name}” stopped after ${formatBytes(at)}.`,
    remedy: "Check the connection and open it again.",
    cause,
  });
