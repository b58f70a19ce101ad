import { CrinkleError } from "../../../core/errors.ts";

/**
 * SHA-256 fingerprints of the certificates that the two ends proved to hold; the other end sees them
 * swapped.
 */
export interface Fingerprints {
  readonly own: Uint8Array;
  readonly other: Uint8Array;
}

/**
 * The fingerprints of a connection in the state “connected”. Rejects with Refused if a description names
 * several certificates, or the other side presents a different one than it named.
 */
export async function fingerprintsOf(connection: RTCPeerConnection): Promise<Fingerprints> {
  const own = fingerprintIn(connection.localDescription?.sdp ?? "");
  const other = fingerprintIn(connection.remoteDescription?.sdp ?? "");
  // Not every browser supports this, and Node's polyfill returns empty ones; those compare fingerprints
  // internally.
  const [certificate] = connection.sctp?.transport.getRemoteCertificates?.() ?? [];
  if (certificate && certificate.byteLength > 0) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", certificate));
    if (digest.some((byte, i) => byte !== other[i]))
      throw refused("presented a different certificate than it named");
  }
  return { own, other };
}

/**
 * The SHA-256 fingerprint of a session description (RFC 8122). Throws Refused unless there is exactly one.
 */
export function fingerprintIn(sdp: string): Uint8Array {
  const found = new Set<string>();
  for (const [, algorithm, value] of sdp.matchAll(/a=fingerprint:\s*(\S+)\s+(\S+)/gi)) {
    found.add(`${algorithm} ${value}`.toLowerCase());
  }
  const [only, another] = found;
  const [, hex] = /^sha-256 ([0-9a-f]{2}(?::[0-9a-f]{2}){31})$/.exec(only ?? "") ?? [];
  if (!hex || another !== undefined) throw refused("did not name exactly one certificate by its SHA-256");
  return Uint8Array.from(hex.split(":"), (byte) => Number.parseInt(byte, 16));
}

const refused = (what: string): CrinkleError =>
  new CrinkleError({ tag: "Refused", problem: `A connection was refused: its other end ${what}.` });
