import { WebSocket } from "ws";
import { RateLimiter } from "./rate-limiter.ts";

/** What a socket may send at once, and at what rate that is refilled. */
export interface SocketLimits {
  readonly messages: { readonly burst: number; readonly perSecond: number };
  readonly bytes: { readonly burst: number; readonly perSecond: number };
}

/** Sockets that close on messages beyond the limits or not in PeerJS's format, before anybody reads them. */
export function socketClass(limits: SocketLimits): typeof WebSocket {
  return class extends WebSocket {
    readonly #messages = new RateLimiter(limits.messages.burst, limits.messages.perSecond);
    readonly #bytes = new RateLimiter(limits.bytes.burst, limits.bytes.perSecond);

    override emit(event: string | symbol, ...args: unknown[]): boolean {
      if (event !== "message") return super.emit(event, ...args);
      if (this.readyState !== WebSocket.OPEN) return false;
      const [data, isBinary] = args as [Buffer, boolean];
      if (!this.#messages.take(1) || !this.#bytes.take(data.length)) this.close(1008, "too much");
      else if (isBinary || !isMessage(data.toString())) this.close(1007, "no message");
      else return super.emit(event, ...args);
      return false;
    }
  };
}

function isMessage(text: string): boolean {
  try {
    const { type, dst } = JSON.parse(text);
    return typeof type === "string" && (dst === undefined || typeof dst === "string");
  } catch {
    return false;
  }
}
