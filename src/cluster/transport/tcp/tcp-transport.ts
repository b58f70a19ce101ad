import { networkInterfaces } from "node:os";
import { CrinkleError } from "../../../core/errors.ts";
import { noChannelBinding, type Transport, type UnauthenticatedConnection } from "../transport.ts";
import { dialTcp } from "./dial.ts";
import { listenTcp } from "./listen.ts";
import type { TcpChannel } from "./tcp-channel.ts";

export interface TcpTransportOptions {
  /** The room's key: 16 bytes. */
  readonly key: Uint8Array;
  /** The interface to listen on. Default: all of them. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
}

/** An address lists where a rank listens, on each of its machine's networks. */
const maxAddresses = 6;

export interface TcpTransport extends Transport {
  /**
   * Resolves when all connections have ended: their last bytes may still be in transit when they are
   * closed.
   */
  drained(): Promise<void>;
}

/**
 * A transport between Node ranks over TCP, whose TLS handshake proves the key at both ends of the
 * connection itself.
 */
export async function openTcpTransport({ key, host, port }: TcpTransportOptions): Promise<TcpTransport> {
  let onConnection: ((connection: UnauthenticatedConnection) => void) | undefined;
  const early: UnauthenticatedConnection[] = [];
  const open = new Set<TcpChannel>();
  const tracked = (channel: TcpChannel): UnauthenticatedConnection => {
    open.add(channel);
    void channel.closed.then(() => open.delete(channel));
    return { channel, binding: noChannelBinding };
  };
  const listener = await listenTcp({
    key,
    host: host ?? "0.0.0.0",
    port,
    onChannel: (channel) => {
      const connection = tracked(channel);
      if (onConnection) onConnection(connection);
      else early.push(connection);
    },
  });
  const hosts = host === undefined || host === "0.0.0.0" ? ownAddresses() : [host];
  return {
    path: "tcp",
    address: hosts.map((name) => `${name}:${listener.port}`).join(),
    canDial: () => true,
    dial: async (address) => tracked(await dialAny(key, address.split(",").slice(0, maxAddresses))),
    listen: (to) => {
      onConnection = to;
      for (const one of early.splice(0)) to(one);
    },
    close: () => {
      listener.close();
      for (const { channel } of early.splice(0)) channel.close();
    },
    drained: async () => {
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}

async function dialAny(key: Uint8Array, places: readonly string[]): Promise<TcpChannel> {
  let last: unknown;
  for (const place of places) {
    const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(place) ?? [];
    if (host === undefined) continue;
    try {
      return await dialTcp({ key, host, port: Number(port) });
    } catch (error) {
      last = error;
    }
  }
  throw new CrinkleError({
    tag: "Unreachable",
    problem: `No rank could be reached at ${places.join(" or ")}.`,
    remedy: "Check that the rank is running and that its port is open between the machines.",
    cause: last,
  });
}

/** Loopback comes last: on another machine it would lead to that machine itself. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.filter(({ internal, family }) => !internal && family === "IPv4");
  return [...outside.map(({ address }) => address).slice(0, maxAddresses - 1), "127.0.0.1"];
}
