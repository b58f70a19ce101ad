import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ExpressPeerServer, type IClient } from "peer";
import { WebSocketServer } from "ws";
import { signallingFile } from "../../cluster/transport/rtc/options.ts";
import { goneType, roomOf, signallingPath } from "../../cluster/transport/rtc/protocol.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { type SocketLimits, socketClass } from "./socket.ts";

export interface SignallingLimits extends SocketLimits {
  /** Sockets at a time. */
  readonly connections: number;
  /** The longest message: offers have a few thousand bytes. */
  readonly messageBytes: number;
}

/** Joining 31 other members takes about 300 messages. */
const defaultLimits: SignallingLimits = {
  connections: 256,
  messageBytes: 2 ** 16,
  messages: { burst: 2000, perSecond: 100 },
  bytes: { burst: 2 ** 21, perSecond: 2 ** 17 },
};

/** Requests below this path belong to the server. */
const isOurs = (url = "/") => url === signallingPath || url.startsWith(`${signallingPath}/`);
const socketPath = `${signallingPath}/peerjs`;

/** A PeerServer beside whatever else an HTTP server does. */
export interface Signalling {
  /** Answers the request if its path belongs to the PeerServer or the settings; returns whether it did. */
  request(request: IncomingMessage, response: ServerResponse): boolean;
  /** Takes over the socket if its path belongs to the PeerServer; returns whether it did. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Drops all sockets. */
  close(): void;
}

/**
 * Introduces peers to each other by PeerJS's protocol, and notifies a room when a member's socket has closed. It
 * sees addresses and offers, but nothing that peers send each other; peers must not trust it. `settings` is
 * what pages learn of other servers (SignallingOptions, without the server if it is this one).
 */
export function signalling(limits: Partial<SignallingLimits> = {}, settings: object = {}): Signalling {
  const { connections, messageBytes, ...ofSocket } = { ...defaultLimits, ...limits };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    WebSocket: socketClass(ofSocket),
  });
  const server = ExpressPeerServer(new Server(), {
    path: signallingPath,
    createWebSocketServer: () => sockets,
    corsOptions: { origin: false },
    // A peer that dials a missing one learns so after this many milliseconds plus those until the next check.
    expire_timeout: 1000,
    cleanup_out_msgs: 250,
  });
  // Errors of a socket only end that socket.
  server.on("error", () => {});
  announceGone(server);
  // PeerServer starts once it is mounted on an Express application; a second PeerServer serves as one.
  const application = ExpressPeerServer(new Server());
  application.disable("x-powered-by");
  let isClosed = false;
  withScopedTimers(
    () => isClosed,
    () => application.use(server),
  );

  return {
    request(request, response) {
      if (request.method === "GET" && request.url === `/${signallingFile}`) {
        response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-cache" });
        response.end(JSON.stringify(settings));
        return true;
      }
      if (!isOurs(request.url)) return false;
      application(request, response);
      return true;
    },
    upgrade(request, socket, head) {
      const [path] = (request.url ?? "/").split("?");
      if (path !== socketPath) return false;
      if (sockets.clients.size >= connections) refuseUpgrade(socket, "503 Service Unavailable");
      else
        sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit("connection", opened, request));
      return true;
    },
    close() {
      isClosed = true;
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

/**
 * Runs code that sets timers and never clears them, as PeerServer does: its timers, and those that they set
 * in turn, do not keep the process alive and end with the server.
 */
function withScopedTimers(isOver: () => boolean, run: () => void): void {
  const { setTimeout } = globalThis;
  const later = (call: () => void, ms: number) =>
    setTimeout(() => {
      if (!isOver()) withScopedTimers(isOver, call);
    }, ms).unref();
  globalThis.setTimeout = later as typeof setTimeout;
  try {
    run();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

/** Tells a room's members which of them the server has lost. */
function announceGone(server: ReturnType<typeof ExpressPeerServer>): void {
  const rooms = new Map<string, Map<string, IClient>>();
  server.on("connection", (client) => {
    const room = roomOf(client.getId());
    if (room === undefined) return;
    const members = rooms.get(room) ?? new Map<string, IClient>();
    rooms.set(room, members.set(client.getId(), client));
  });
  server.on("disconnect", (client) => {
    const id = client.getId();
    const members = rooms.get(roomOf(id) ?? "");
    if (members?.get(id) !== client) return;
    members.delete(id);
    if (members.size === 0) rooms.delete(roomOf(id) ?? "");
    for (const member of members.values()) member.send({ type: goneType, src: id });
  });
}
