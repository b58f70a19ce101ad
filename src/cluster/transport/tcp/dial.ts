import * as tls from "node:tls";
import { cipherSuite, handshakeMs, identity, presharedKey, refused } from "./secure.ts";
import { TcpChannel } from "./tcp-channel.ts";

export interface DialOptions {
  /** The room's key: 16 bytes. */
  readonly key: Uint8Array;
  readonly host: string;
  readonly port: number;
  /** Milliseconds until the other side must have answered and proved the key. 5000. */
  readonly handshakeMs?: number;
}

/**
 * Connects to a rank that listens (listen.ts). Rejects with Refused where nobody answers in time, or where who answers
 * does not hold the room's key.
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
      // A certificate is no proof of the key: no authority is trusted, and no name fits.
      ca: [],
      checkServerIdentity: () => refused("It shows a certificate instead."),
    });
    const refuse = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(refused(`The rank at ${host}:${port} was not reached: ${why}`));
    };
    const timer = setTimeout(() => refuse(`it did not answer within ${maxMs} ms.`), maxMs);
    const failed = (error: Error) => refuse(`${error.message}.`);
    const closed = () => refuse("it closed the connection.");
    socket.on("error", failed);
    socket.on("close", closed);
    socket.on("secureConnect", () => {
      if (!socket.isSessionReused()) {
        refuse("it shows no proof that it holds the room's key.");
        return;
      }
      clearTimeout(timer);
      socket.off("close", closed);
      resolve(new TcpChannel(socket));
      socket.off("error", failed);
    });
  });
}
