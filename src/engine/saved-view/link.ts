import { CrinkleError } from "../../core/errors.ts";
import { linkKey } from "./view.ts";

/** Maximum decompressed size of a link's view, which has some kilobytes. */
const maxBytes = 1 << 20;

/** `address` with a text in its fragment, compressed. */
export async function linkOf(address: string, text: string): Promise<string> {
  const compressed = await through(new Blob([text]), new CompressionStream("deflate-raw"));
  return `${address.replace(/#.*$/, "")}#${linkKey}=${base64Url(compressed)}`;
}

/** The text that a fragment holds. */
export async function textOf(hash: string): Promise<string> {
  try {
    const bytes = fromBase64Url(new URLSearchParams(hash.slice(1)).get(linkKey) ?? "");
    const text = await through(new Blob([bytes]), new DecompressionStream("deflate-raw"), maxBytes);
    return new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch (cause) {
    throw new CrinkleError({
      tag: "BadFile",
      problem: "The view in this link cannot be read: the link is incomplete, or was changed in transit.",
      remedy: "Copy the whole link again.",
      cause,
    });
  }
}

async function through(
  blob: Blob,
  stream: ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>,
  maxLength = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = blob.stream().pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > maxLength) {
      await reader.cancel();
      throw new RangeError(`It decompresses to more than ${maxLength} bytes.`);
    }
    parts.push(value);
  }
}

function base64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
