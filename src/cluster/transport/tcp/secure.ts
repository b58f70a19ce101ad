import { hkdfSync } from "node:crypto";
import type { TlsOptions } from "node:tls";
import { CrinkleError } from "../../../core/errors.ts";

/** Milliseconds within which a peer must prove that it holds the key. */
export const handshakeMs = 5000;

const roomKeyBytes = 16;

/** The dialler's PSK identity: the key shows who may join, the link's first messages show who it is. */
export const identity = "crinkle";

/** One cipher suite, with a Diffie–Hellman exchange for forward secrecy. */
export const cipherSuite = {
  minVersion: "TLSv1.3",
  maxVersion: "TLSv1.3",
  ciphers: "TLS_AES_128_GCM_SHA256",
} as const satisfies TlsOptions;

/**
 * The key that TLS proves, derived from the room's key so that no other use of that key can stand in for
 * it.
 */
export function presharedKey(roomKey: Uint8Array): Uint8Array {
  if (roomKey.length !== roomKeyBytes) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `A room's key has ${roomKeyBytes} bytes, not ${roomKey.length}.`,
    });
  }
  return new Uint8Array(hkdfSync("sha256", roomKey, new Uint8Array(0), "crinkle tcp 1", 32));
}

export const refused = (problem: string, remedy?: string): CrinkleError =>
  new CrinkleError({ tag: "Refused", problem, remedy });
