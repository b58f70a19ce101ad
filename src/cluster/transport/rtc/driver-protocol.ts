import type { PlainError } from "../../../core/errors.ts";
import type { Fingerprints } from "./fingerprints.ts";
import type { SignallingOptions } from "./options.ts";

/**
 * Commands to the thread that makes connections, which in a browser is the page's. Connections are
 * numbered: dialled ones by the dialler from 1 on, incoming ones from −1 downwards.
 */
export type DriverCommand =
  /** `retriesSignalling`: keep trying if the server is not reachable yet. */
  | {
      readonly kind: "open";
      readonly address: string;
      readonly signalling: SignallingOptions;
      readonly retriesSignalling: boolean;
    }
  | { readonly kind: "dial"; readonly connection: number; readonly address: string }
  /** Asks how many packets have arrived. */
  | { readonly kind: "countPackets"; readonly connection: number }
  /** Closes the connection: nothing more is sent or received. */
  | { readonly kind: "end"; readonly connection: number }
  /** Makes no more connections; existing ones stay. */
  | { readonly kind: "close" };

/** Events from the thread that makes connections. */
export type DriverEvent =
  /** The server knows the address, for the first time or again. */
  | { readonly kind: "open" }
  /**
   * The server is unreachable and will be retried; with `error`, the first attempt failed and none follows.
   */
  | { readonly kind: "closed"; readonly error?: PlainError }
  /** A connection is being made; its channels come with this message, or frames go through a port. */
  | ({ readonly kind: "begun"; readonly connection: number; readonly address: string } & ChannelSource)
  | { readonly kind: "connected"; readonly connection: number; readonly fingerprints: Fingerprints }
  | { readonly kind: "failed"; readonly connection: number; readonly problem: string }
  /** Undefined if the count is not available. */
  | { readonly kind: "packetCount"; readonly connection: number; readonly packets: number | undefined }
  /** The server lost the peer, or somebody claims so. */
  | { readonly kind: "suspect"; readonly address: string };

export type ChannelSource =
  | { readonly control: RTCDataChannel; readonly bulk: RTCDataChannel }
  | { readonly port: MessagePort };
