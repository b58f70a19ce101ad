import { CrinkleError } from "../../core/errors.ts";

/**
 * The frames of messages: a header of 16 bytes (little endian), then what it announces.
 *
 * | bytes | begin | continuation | ack | goodbye | abort |
 * | --- | --- | --- | --- | --- | --- |
 * | 0 | 1 | 2 | 3 | 4 | 5 |
 * | 1 | stream | stream | 0 | 0 | stream |
 * | 2–3 | bytes of the head | 0 | 0 | bytes of the reason | 0 |
 * | 4–7 | 0 | 0 | 0 | 0 | 0 |
 * | 8–15 | bytes of the body | position in the body | bytes received so far | 0 | 0 |
 * | 16… | head, padded to a multiple of 8, body | body | – | reason, UTF-8 | – |
 *
 * The body begins at a multiple of 8, so that a message of one frame can be read in place.
 */
export type Frame =
  | {
      readonly kind: "begin";
      readonly stream: number;
      readonly head: Uint8Array;
      readonly bodyBytes: number;
      readonly part: Uint8Array;
    }
  | {
      readonly kind: "continuation";
      readonly stream: number;
      readonly position: number;
      readonly part: Uint8Array;
    }
  | { readonly kind: "ack"; readonly bytes: number }
  | { readonly kind: "goodbye"; readonly reason: string }
  | { readonly kind: "abort"; readonly stream: number };

export const headerBytes = 16;

/** Streams are numbered from 0. */
export const streamCount = 16;

/** The maximum length of a head, which describes a message. */
export const maxHeadBytes = 4096;

const maxReasonBytes = 1024;
const kinds = { begin: 1, continuation: 2, ack: 3, goodbye: 4, abort: 5 } as const;

/** Bytes before the body in the frame that begins a message. */
export const beginBytes = (headLength: number): number => headerBytes + ((headLength + 7) & ~7);

/** The bytes of a frame before its part of the body. */
export function encodeBegin(stream: number, head: Uint8Array, bodyBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(beginBytes(head.length));
  writeHeader(bytes, kinds.begin, stream, head.length, bodyBytes);
  bytes.set(head, headerBytes);
  return bytes;
}

export function encodeContinuation(stream: number, position: number): Uint8Array<ArrayBuffer> {
  return writeHeader(new Uint8Array(headerBytes), kinds.continuation, stream, 0, position);
}

export function encodeAck(bytes: number): Uint8Array<ArrayBuffer> {
  return writeHeader(new Uint8Array(headerBytes), kinds.ack, 0, 0, bytes);
}

export function encodeAbort(stream: number): Uint8Array<ArrayBuffer> {
  return writeHeader(new Uint8Array(headerBytes), kinds.abort, stream, 0, 0);
}

export function encodeGoodbye(reason: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(reason).subarray(0, maxReasonBytes);
  const bytes = new Uint8Array(headerBytes + text.length);
  bytes.set(text, headerBytes);
  return writeHeader(bytes, kinds.goodbye, 0, text.length, 0);
}

/** Whether an encoded frame is a goodbye. */
export const isGoodbye = (frame: Uint8Array): boolean => frame[0] === kinds.goodbye;

/**
 * Decodes a frame without copying: its arrays are views. Throws BadMessage if a byte is not as described
 * above.
 */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (bytes.length < headerBytes)
    throw badMessage(`a frame of ${bytes.length} bytes is shorter than its header`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [kind, stream] = bytes;
  const small = view.getUint16(2, true);
  if (view.getUint32(4, true) !== 0) throw badMessage("a reserved byte is not 0");
  const large = largeOf(view);
  if (!Number.isSafeInteger(large)) throw badMessage("a byte count is too large");
  if (stream >= streamCount) throw badMessage(`unknown stream ${stream}`);
  switch (kind) {
    case kinds.begin:
      return decodeBegin(bytes, stream, small, large);
    case kinds.continuation: {
      const part = bytes.subarray(headerBytes);
      if (small !== 0 || part.length === 0) throw badMessage("an empty continuation frame");
      return { kind: "continuation", stream, position: large, part };
    }
    case kinds.ack:
      if (stream !== 0 || small !== 0 || bytes.length !== headerBytes)
        throw badMessage("a malformed acknowledgement");
      return { kind: "ack", bytes: large };
    case kinds.goodbye:
      if (stream !== 0 || large !== 0 || small > maxReasonBytes || bytes.length !== headerBytes + small) {
        throw badMessage("a malformed goodbye");
      }
      return { kind: "goodbye", reason: new TextDecoder().decode(bytes.subarray(headerBytes)) };
    case kinds.abort:
      if (small !== 0 || large !== 0 || bytes.length !== headerBytes) throw badMessage("a malformed abort");
      return { kind: "abort", stream };
    default:
      throw badMessage(`unknown kind of frame ${kind}`);
  }
}

/** Decodes a continuation frame's header of 16 bytes; undefined if it is of another kind or malformed. */
export function decodeContinuation(
  header: Uint8Array,
): { readonly stream: number; readonly position: number } | undefined {
  const [kind, stream, first, second] = header;
  const view = new DataView(header.buffer, header.byteOffset, headerBytes);
  if (kind !== kinds.continuation || stream >= streamCount || first + second + view.getUint32(4, true) !== 0)
    return undefined;
  return { stream, position: largeOf(view) };
}

/** Beyond 2⁵³, not a safe integer. */
const largeOf = (view: DataView): number => view.getUint32(12, true) * 2 ** 32 + view.getUint32(8, true);

function decodeBegin(bytes: Uint8Array, stream: number, headLength: number, bodyBytes: number): Frame {
  if (headLength > maxHeadBytes) throw badMessage(`a head of ${headLength} bytes is too long`);
  const start = beginBytes(headLength);
  const partLength = bytes.length - start;
  if (partLength < 0 || partLength > bodyBytes)
    throw badMessage("a frame is shorter or longer than announced");
  if (partLength === 0 && bodyBytes > 0) throw badMessage("a message's first frame has none of its body");
  const head = bytes.subarray(headerBytes, headerBytes + headLength);
  return { kind: "begin", stream, head, bodyBytes, part: bytes.subarray(start) };
}

function writeHeader<B extends Uint8Array<ArrayBuffer>>(
  bytes: B,
  kind: number,
  stream: number,
  small: number,
  large: number,
): B {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes[0] = kind;
  bytes[1] = stream;
  view.setUint16(2, small, true);
  view.setUint32(8, large % 2 ** 32, true);
  view.setUint32(12, Math.floor(large / 2 ** 32), true);
  return bytes;
}

export const badMessage = (what: string): CrinkleError =>
  new CrinkleError({ tag: "BadMessage", problem: `Invalid message from another rank: ${what}.` });
