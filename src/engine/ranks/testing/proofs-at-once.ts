import { createHmac, hkdfSync } from "node:crypto";

type Key = WeakKey;

let isReplaced = false;

/** Replaces the cryptography of proofs by the same in this thread: to hand it to another takes longer than what it does. */
export function proveAtOnce(): void {
  if (isReplaced) return;
  isReplaced = true;
  const keys = new WeakMap<Key, Uint8Array>();
  const bytesOf = (key: Key): Uint8Array => {
    const bytes = keys.get(key);
    if (!bytes) throw new Error("The key was imported before.");
    return bytes;
  };
  const hmac = (key: Key, data: Uint8Array) => createHmac("sha256", bytesOf(key)).update(data).digest();
  const methods = {
    importKey(_format: "raw", bytes: Uint8Array): Key {
      const key = {};
      keys.set(key, bytes.slice());
      return key;
    },
    deriveBits: (
      { salt, info }: { readonly salt: Uint8Array; readonly info: Uint8Array },
      key: Key,
      bits: number,
    ): ArrayBuffer => hkdfSync("sha256", bytesOf(key), salt, info, bits / 8),
    sign: (_: "HMAC", key: Key, data: Uint8Array): Uint8Array => hmac(key, data),
    verify: (_: "HMAC", key: Key, tag: Uint8Array, data: Uint8Array): boolean => hmac(key, data).equals(tag),
  };
  for (const [name, method] of Object.entries(methods)) {
    const value = async (...given: readonly unknown[]): Promise<unknown> =>
      Reflect.apply(method, undefined, given);
    Object.defineProperty(crypto.subtle, name, { configurable: true, value });
  }
}
