import { CrinkleError } from "../../../core/errors.ts";
import { signallingPath } from "./protocol.ts";

/** A STUN or TURN server. There is none by default: peers in one network need none. */
export interface IceServer {
  /** `stun:`, `turn:` or `turns:`. */
  readonly urls: string | readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** How peers are introduced to each other, and servers that help them connect. */
export interface SignallingOptions {
  /** The PeerServer: `http:` or `https:` with a path, such as https://example.org:9000/peer. */
  readonly server: string;
  /** The key that a PeerServer other than ours may require. */
  readonly key?: string;
  readonly iceServers?: readonly IceServer[];
}

/** The PeerServer that runs beside the page's own server. */
export const pageSignalling = (page: string): SignallingOptions => ({
  server: new URL(signallingPath, page).href,
});

/** A file beside the page with signalling options. A page without it uses its own server only. */
export const signallingFile = "signalling.json";

/** Milliseconds that the page's server has to answer. */
const answerMs = 3000;

/**
 * The options that a page's server provides; its own PeerServer if the file does not name one or does not
 * exist. Rejects with BadArgument if the file is invalid.
 */
export async function fetchSignalling(page: string): Promise<SignallingOptions> {
  const own = pageSignalling(page);
  const signal = AbortSignal.timeout(answerMs);
  const response = await fetch(new URL(signallingFile, page), { signal }).catch(() => undefined);
  const isJson = response?.headers.get("content-type")?.includes("json");
  if (!response?.ok || !isJson) return own;
  const given: unknown = await response.json().catch(() => undefined);
  return parseSignalling({ ...own, ...record(given, `The file ${signallingFile} of ${page}`) });
}

const maxServers = 16;

/** Checks options from outside. Throws BadArgument if they do not match `SignallingOptions`. */
export function parseSignalling(given: unknown): SignallingOptions {
  const { server, key, iceServers = [] } = record(given, "The signalling options");
  serverUrl(server);
  if (key !== undefined && !/^\w{1,64}$/.test(text(key, "key"))) throw bad(`The key is “${key}”.`);
  if (!Array.isArray(iceServers) || iceServers.length > maxServers) {
    throw bad(`iceServers is not a list of at most ${maxServers} servers.`);
  }
  const options = { server: text(server, "server"), iceServers: iceServers.map(parseIceServer) };
  return key === undefined ? options : { ...options, key: text(key, "key") };
}

/** The address of a PeerServer. Throws BadArgument if it is invalid. */
export function serverUrl(server: unknown): URL {
  const given = text(server, "server");
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw bad(`The signalling server is “${given}”.`);
}

function parseIceServer(given: unknown): IceServer {
  const { urls, username, credential } = record(given, "An ICE server");
  const list = Array.isArray(urls) ? urls : [urls];
  for (const url of list) {
    if (!/^(stun|turns?):[^\s@]{1,300}$/.test(text(url, "urls"))) throw bad(`An ICE server is “${url}”.`);
    if (!String(url).startsWith("stun:") && (username === undefined || credential === undefined)) {
      throw bad(`The TURN server ${url} has no username or no credential.`);
    }
  }
  const server: IceServer = { urls: list };
  if (username === undefined) return server;
  return { ...server, username: text(username, "username"), credential: text(credential, "credential") };
}

function record(given: unknown, what: string): Partial<Record<string, unknown>> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return { ...given };
  throw bad(`${what} must be an object.`);
}

function text(given: unknown, name: string): string {
  if (typeof given === "string" && given.length > 0 && given.length <= 2000) return given;
  throw bad(`${name} is not a text of 1 to 2000 characters.`);
}

const bad = (problem: string): CrinkleError =>
  new CrinkleError({
    tag: "BadArgument",
    problem,
    remedy:
      "Give a server as an address such as https://example.org/peer, and an ICE server as stun:host or turn:host.",
  });
