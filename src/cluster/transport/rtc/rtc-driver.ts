import type { DataConnection } from "peerjs";
import { describeError } from "../../../core/errors.ts";
import type { DriverCommand, DriverEvent } from "./driver-protocol.ts";
import { fingerprintsOf } from "./fingerprints.ts";
import { createPair, frameBytes } from "./rtc-channel.ts";
import { type ConnectionSignal, SignallingClient } from "./signalling-client.ts";

/** Connections at a time, and incoming ones not made yet among them: further offers are not answered. */
const maxCounts = { connections: 256, halfOpen: 32 };

/** The maximum number of candidates from a peer for one connection. */
const maxCandidates = 64;

interface HeldConnection {
  readonly address: string;
  readonly connection: DataConnection;
  isConnected: boolean;
}

/**
 * Makes connections through a signalling server, on the thread that has RTCPeerConnection, and reports
 * events.
 */
export class RtcDriver {
  readonly #emit: (event: DriverEvent) => void;
  readonly #held = new Map<number, HeldConnection>();
  readonly #candidates = new WeakMap<DataConnection, number>();
  #server: SignallingClient | undefined;
  #incoming = 0;

  /** Channels can be transferred while `emit` runs. */
  constructor(emit: (event: DriverEvent) => void) {
    this.#emit = emit;
  }

  execute(command: DriverCommand): void {
    switch (command.kind) {
      case "open":
        this.#server = new SignallingClient(command.address, command.signalling, command.retriesSignalling, {
          opened: () => this.#emit({ kind: "open" }),
          closed: () => this.#emit({ kind: "closed" }),
          failed: (error) => this.#emit({ kind: "closed", error: error.toPlain() }),
          incoming: (connection) => this.#begin(--this.#incoming, connection),
          absent: (address) => this.#absent(address),
          suspect: (address) => this.#emit({ kind: "suspect", address }),
          accepts: (signal) => this.#wants(signal),
        });
        return;
      case "dial": {
        const connection = this.#server?.connect(command.address);
        if (connection) this.#begin(command.connection, connection);
        else this.#fail(command.connection, "The signalling server is unreachable.");
        return;
      }
      case "countPackets":
        void this.#count(command.connection);
        return;
      case "end": {
        const held = this.#held.get(command.connection);
        this.#held.delete(command.connection);
        held?.connection.close();
        return;
      }
      case "close":
        this.#server?.close();
        return;
    }
  }

  /** Also closes all connections. */
  end(): void {
    this.#server?.close();
    for (const number of [...this.#held.keys()]) this.execute({ kind: "end", connection: number });
  }

  #begin(number: number, connection: DataConnection): void {
    const { peerConnection, peer: address } = connection;
    const held = { address, connection, isConnected: false };
    this.#held.set(number, held);
    const fail = (problem: string) => {
      if (this.#held.get(number) === held) this.#fail(number, problem);
    };
    // Only our own channels are used; PeerJS's and any others are closed.
    peerConnection.ondatachannel = ({ channel }) => channel.close();
    peerConnection.addEventListener("connectionstatechange", () => {
      const { connectionState: state } = peerConnection;
      if (state === "failed" || state === "closed") fail("The connection broke.");
      if (state !== "connected" || held.isConnected) return;
      held.isConnected = true;
      const size = peerConnection.sctp?.maxMessageSize ?? frameBytes;
      if (size < frameBytes)
        fail(`The other side accepts messages of ${size} bytes, fewer than ${frameBytes}.`);
      else {
        fingerprintsOf(peerConnection).then(
          (fingerprints) => this.#emit({ kind: "connected", connection: number, fingerprints }),
          (error: unknown) => fail(describeError(error)),
        );
      }
    });
    connection.on("iceStateChanged", (state) => {
      if (state === "failed" || state === "closed")
        fail("The other side could not be reached, or no longer can.");
    });
    this.#emit({ kind: "begun", connection: number, address, ...createPair(peerConnection) });
  }

  async #count(number: number): Promise<void> {
    let packets: number | undefined;
    const stats = await this.#held
      .get(number)
      ?.connection.peerConnection.getStats()
      .catch(() => undefined);
    // Not every browser counts packets, and Node's polyfill does not.
    for (const { type, packetsReceived } of stats?.values() ?? []) {
      if (type === "transport" && typeof packetsReceived === "number") packets = packetsReceived;
    }
    this.#emit({ kind: "packetCount", connection: number, packets });
  }

  /** On this event the endpoint ends the connection. */
  #fail(number: number, problem: string): void {
    this.#emit({ kind: "failed", connection: number, problem });
  }

  #absent(address: string): void {
    for (const [number, held] of this.#held) {
      if (held.address === address && !held.isConnected) this.#fail(number, `There is no peer ${address}.`);
    }
  }

  #wants({ type, src, payload: { connectionId } }: ConnectionSignal): boolean {
    const held = [...this.#held.values()].find(
      ({ address, connection }) => address === src && connection.connectionId === connectionId,
    );
    if (type === "OFFER") {
      const halfOpen = [...this.#held].filter(([number, { isConnected }]) => number < 0 && !isConnected);
      return !held && this.#held.size < maxCounts.connections && halfOpen.length < maxCounts.halfOpen;
    }
    if (!held || type === "ANSWER") return held?.isConnected === false;
    const count = (this.#candidates.get(held.connection) ?? 0) + 1;
    this.#candidates.set(held.connection, count);
    return count <= maxCandidates;
  }
}
