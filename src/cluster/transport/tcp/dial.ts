import * as tls from "node:tls";
import { cipherSuite, handshakeMs, identity, presharedKey, refused } from "./secure.ts";
import { TcpChannel } from "./tcp-channel.ts";

export interface DialOptions {
  /** The room's key: 16 bytes. */
  readonly key: Uint8Array;
  readonly host: string;
  readonly port: number;
  /** Milliseconds within which the other side must answer and prove the key. Default: 5000. */
  readonly handshakeMs?: number;
}

/**
 * Connects to a listening rank (listen.ts). Rejects with Refused if nobody answers in time or the other
 * side does not hold the room's key.
 */
export async function dialTcp({ key, host, port, ...options }: DialOptions): Promise<TcpChannel> {
  const psk = presharedKey(key);
  const maxMs = options.handshakeMs ?? handshakeMs;
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      ...cipherSuite,
      host,
      port,
      pskCallback: () => ({ psk, identity }),
      // A certificate does not prove the key: no authority is trusted, and no name matches.
      ca: [],
      checkServerIdentity: () => refused("The other side presents a certificate instead of the key."),
    });
    const refuse = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(refused(`The rank at ${host}:${port} could not be reached: ${why}`));
    };
    const timer = setTimeout(() => refuse(`it did not answer within ${maxMs} ms.`), maxMs);
    const failed = (error: Error) => refuse(`${error.message}.`);
    const closed = () => refuse("it closed the connection.");
    socket.on("error", failed);
    socket.on("close", closed);
    socket.on("secureConnect", () => {
      if (!socket.isSessionReused()) {
        refuse("it does not prove that it holds the room's key.");
        return;
      }
      clearTimeout(timer);
      socket.off("close", closed);
      resolve(new TcpChannel(socket));
      socket.off("error", failed);
    });
  });
}
