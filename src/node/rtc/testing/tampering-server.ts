import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface RelayedMessage {
  type: string;
  src?: string;
  dst?: string;
  payload?: { connectionId?: string; sdp?: { type: string; sdp: string } };
}

/** A signalling server that alters what it relays and sends what it likes. */
export class TamperingServer {
  readonly url: string;
  readonly passed: RelayedMessage[] = [];
  change: (message: RelayedMessage) => void = () => {};
  readonly #server: WebSocketServer;
  readonly #sockets = new Map<string, WebSocket>();

  private constructor(server: WebSocketServer) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on("connection", (socket, request) => {
      const id = new URL(request.url ?? "", this.url).searchParams.get("id") ?? "";
      this.#sockets.set(id, socket);
      socket.send('{"type":"OPEN"}');
      socket.on("message", (data) => {
        const message: RelayedMessage = { ...JSON.parse(String(data)), src: id };
        this.change(message);
        this.passed.push(message);
        if (message.dst) this.tell(message.dst, JSON.stringify(message));
      });
    });
  }

  static start(): Promise<TamperingServer> {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    return new Promise((resolve) => server.on("listening", () => resolve(new TamperingServer(server))));
  }

  tell(id: string, text: string): void {
    this.#sockets.get(id)?.send(text);
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }
}
