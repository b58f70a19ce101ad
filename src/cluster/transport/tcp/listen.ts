import type { AddressInfo } from "node:net";
import * as net from "node:net";
import * as tls from "node:tls";
import type { CrinkleError } from "../../../core/errors.ts";
import { cipherSuite, handshakeMs, identity, presharedKey, refused } from "./secure.ts";
import { TcpChannel } from "./tcp-channel.ts";

export interface ListenOptions {
  /** The room's key: 16 bytes. */
  readonly key: Uint8Array;
  /** The address to listen on. Default: loopback. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Connections that have not proved the key yet; further ones are refused at once. Default: 16. */
  readonly maxHalfOpen?: number;
  /** Milliseconds within which a peer must prove the key. Default: 5000. */
  readonly handshakeMs?: number;
  onChannel(channel: TcpChannel): void;
  /** A peer was refused before any byte of a frame was read; the tag is Refused. */
  onRefused?(error: CrinkleError): void;
}

export interface TcpListener {
  readonly host: string;
  readonly port: number;
  /** Accepts no more connections and drops those that have not proved the key; channels stay. */
  close(): void;
}

/**
 * Listens for ranks that hold the room's key: TLS 1.3 with that key and without certificates, so that both
 * sides prove it and everything is encrypted, on loopback too: it is faster there than ranks need
 * (docs/performance.md).
 */
export async function listenTcp(options: ListenOptions): Promise<TcpListener> {
  const { maxHalfOpen = 16 } = options;
  const maxMs = options.handshakeMs ?? handshakeMs;
  const psk = presharedKey(options.key);
  const refuse = (problem: string) => options.onRefused?.(refused(problem));
  const secure = tls.createServer({
    ...cipherSuite,
    // Node's timeout restarts with every byte; a timer for the whole handshake replaces it.
    handshakeTimeout: 0,
    pskCallback: (_, name) => (name === identity ? psk : null),
  });
  /** By the remote end's address. */
  const halfOpen = new Map<string, net.Socket>();
  const endOf = ({ remoteAddress, remotePort }: net.Socket) => `${remoteAddress}:${remotePort}`;
  secure.on("secureConnection", (socket) => {
    halfOpen.delete(endOf(socket));
    options.onChannel(new TcpChannel(socket));
  });
  secure.on("tlsClientError", (error, socket) => {
    socket.destroy();
    refuse(`A connection did not prove within ${maxMs} ms that it holds the room's key: ${error.message}.`);
  });
  const server = net.createServer((socket) => {
    if (halfOpen.size >= maxHalfOpen) {
      refuse(`A connection was refused: ${maxHalfOpen} others have not proved yet that they hold the key.`);
      socket.destroy();
      return;
    }
    const end = endOf(socket);
    halfOpen.set(end, socket);
    const timer = setTimeout(() => {
      if (halfOpen.get(end) === socket) socket.destroy();
    }, maxMs);
    socket.on("close", () => {
      clearTimeout(timer);
      if (halfOpen.get(end) === socket) halfOpen.delete(end);
    });
    secure.emit("connection", socket);
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", () => {
      const { address, port } = server.address() as AddressInfo;
      const close = () => {
        server.close();
        for (const socket of halfOpen.values()) socket.destroy();
      };
      resolve({ host: address, port, close });
    });
  });
}
