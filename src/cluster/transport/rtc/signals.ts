import { goneType } from "./protocol.ts";

/** What a signalling server may send; everything else is ignored. */
export type Signal =
  | {
      readonly type: "OPEN" | "ERROR" | "ID-TAKEN" | "INVALID-KEY";
      readonly payload: { readonly msg: string };
    }
  | { readonly type: "OFFER" | "ANSWER"; readonly src: string; readonly payload: Description }
  | { readonly type: "CANDIDATE"; readonly src: string; readonly payload: Candidate }
  /** The message to `src` could not be delivered. */
  | { readonly type: "EXPIRE"; readonly src: string }
  /** The server lost `src`, or `src` pretends so. */
  | { readonly type: "GONE"; readonly src: string };

interface Description {
  readonly connectionId: string;
  readonly type: "data";
  readonly serialization: "default";
  readonly reliable: true;
  readonly label: string;
  readonly sdp: { readonly type: "offer" | "answer"; readonly sdp: string };
}

interface Candidate {
  readonly connectionId: string;
  readonly type: "data";
  readonly candidate: { readonly candidate: string; readonly sdpMid: string; readonly sdpMLineIndex: number };
}

const maxSdp = 2 ** 14;
const maxText = 500;

/**
 * Copies the expected fields of a server's message, and nothing else, so that nothing unforeseen reaches
 * PeerJS, which trusts its server. Undefined for any other message.
 */
export function decodeSignal(data: unknown): Signal | undefined {
  const { type, src, payload } = fields(data);
  if (type === "OPEN" || type === "ERROR" || type === "ID-TAKEN" || type === "INVALID-KEY") {
    const { msg } = fields(payload);
    return { type, payload: { msg: isText(msg) ? msg : "" } };
  }
  if (!isText(src)) return undefined;
  if (type === "EXPIRE") return { type, src };
  if (type === goneType || type === "LEAVE") return { type: "GONE", src };
  const { connectionId, sdp, candidate } = fields(payload);
  if (!isText(connectionId)) return undefined;
  if (type === "CANDIDATE") {
    const given = fields(candidate);
    if (!isText(given.candidate)) return undefined;
    const sdpMid = isText(given.sdpMid) && given.sdpMid.length <= 3 ? given.sdpMid : "0";
    const of = { candidate: given.candidate, sdpMid, sdpMLineIndex: 0 };
    return { type, src, payload: { connectionId, type: "data", candidate: of } };
  }
  if (type !== "OFFER" && type !== "ANSWER") return undefined;
  const { type: kind, sdp: description } = fields(sdp);
  const expected = type === "OFFER" ? "offer" : "answer";
  if (kind !== expected || typeof description !== "string" || description.length > maxSdp) return undefined;
  const fixed = { type: "data", serialization: "default", reliable: true, label: connectionId } as const;
  return { type, src, payload: { connectionId, ...fixed, sdp: { type: expected, sdp: description } } };
}

const fields = (given: unknown): Partial<Record<string, unknown>> =>
  typeof given === "object" && given !== null ? given : {};

const isText = (given: unknown): given is string => typeof given === "string" && given.length <= maxText;
