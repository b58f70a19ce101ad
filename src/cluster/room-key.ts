import { CrinkleError } from "../core/errors.ts";

/** The length of a room's key: 128 bits, which nobody can guess. */
export const keyBytes = 16;

/**
 * A room's key: whoever holds it may ask to join. It travels in the fragment of links, which browsers never
 * send to servers.
 */
export type RoomKey = Uint8Array<ArrayBuffer>;

export const makeRoomKey = (): RoomKey => crypto.getRandomValues(new Uint8Array(keyBytes));

/** The form used in a link's fragment: 22 characters of base64url. */
export function formatRoomKey(key: RoomKey): string {
  return btoa(String.fromCharCode(...key))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Throws BadArgument if the text is not a key. */
export function parseRoomKey(text: string): RoomKey {
  const isKey = /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text);
  if (!isKey) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: "The invitation's key is incomplete.",
      remedy: "Copy the whole link, including everything after “#”.",
    });
  }
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/**
 * Derives a separate key for each use (HKDF-SHA256 with the use as info), so that one does not reveal
 * another.
 */
export async function deriveBytes(
  key: RoomKey,
  use: string,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode(`crinkle 1 ${use}`);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 8 * length));
}

/** How servers and other tabs identify the room: 32 hexadecimal digits that do not reveal the key. */
export async function roomIdOf(key: RoomKey): Promise<string> {
  const bytes = await deriveBytes(key, "room", 16);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
