import type { PlainError } from "../../../core/errors.ts";
import type { Fingerprints } from "./fingerprints.ts";
import type { SignallingOptions } from "./options.ts";

/**
 * What whoever uses connections asks of the thread that makes them, which in a browser is the page's. Connections are
 * numbered: dialled ones by who dials, from 1 on, those from outside from −1 on downwards.
 */
export type DriverCommand =
  /** `retriesSignalling`: a server that is not there yet is asked again. */
  | {
      readonly kind: "open";
      readonly address: string;
      readonly signalling: SignallingOptions;
      readonly retriesSignalling: boolean;
    }
  | { readonly kind: "dial"; readonly connection: number; readonly address: string }
  /** How many packets have come? */
  | { readonly kind: "countPackets"; readonly connection: number }
  /** Nothing more leaves or comes: the connection is closed. */
  | { readonly kind: "end"; readonly connection: number }
  /** No more connections are made; those that there are live on. */
  | { readonly kind: "close" };

/** What the thread that makes connections tells whoever uses them. */
export type DriverEvent =
  /** The server knows the address, for the first time or again. */
  | { readonly kind: "open" }
  /** The server is out of reach, and asked again from time to time; `error` where the first try failed, and none follows. */
  | { readonly kind: "closed"; readonly error?: PlainError }
  /** A connection is begun; its channels come with this message, or frames go through a port. */
  | ({ readonly kind: "begun"; readonly connection: number; readonly address: string } & ChannelSource)
  | { readonly kind: "connected"; readonly connection: number; readonly fingerprints: Fingerprints }
  | { readonly kind: "failed"; readonly connection: number; readonly problem: string }
  /** Undefined where this is not known. */
  | { readonly kind: "packetCount"; readonly connection: number; readonly packets: number | undefined }
  /** The server lost the peer, or somebody wants to have it believed. */
  | { readonly kind: "suspect"; readonly address: string };

export type ChannelSource =
  | { readonly control: RTCDataChannel; readonly bulk: RTCDataChannel }
  | { readonly port: MessagePort };
