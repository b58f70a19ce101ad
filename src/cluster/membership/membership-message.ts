import { badMessage } from "../wire/frame.ts";

/**
 * Messages between the members of an epoch beside those of communicators: heartbeats, failures, and the
 * agreement on the next epoch.
 */
export type MembershipMessage =
  | { readonly kind: "heartbeat" }
  /** The sender leaves for good and closes the link next. */
  | { readonly kind: "leaving" }
  /** The sender considers a rank failed: `certain` if it cannot come back. */
  | { readonly kind: "failed"; readonly epoch: number; readonly rank: number; readonly certain: boolean }
  /**
   * Paxos: the proposer with the highest ballot asks what was accepted, then asks for its value to be
   * accepted.
   */
  | { readonly kind: "prepare"; readonly epoch: number; readonly ballot: number }
  | {
      readonly kind: "promise";
      readonly epoch: number;
      readonly ballot: number;
      readonly failed: readonly number[];
      readonly accepted: AcceptedProposal | null;
    }
  | {
      readonly kind: "accept";
      readonly epoch: number;
      readonly ballot: number;
      readonly plan: MembershipPlan;
    }
  | { readonly kind: "accepted"; readonly epoch: number; readonly ballot: number }
  /** To a proposer whose ballot is lower than one already promised. */
  | { readonly kind: "nack"; readonly epoch: number; readonly ballot: number }
  | { readonly kind: "decided"; readonly epoch: number; readonly plan: MembershipPlan };

/**
 * The members of the next epoch: remaining ranks of this one, ascending, followed by the names of joining
 * members.
 */
export interface MembershipPlan {
  readonly stay: readonly number[];
  readonly join: readonly string[];
}

export interface AcceptedProposal {
  readonly ballot: number;
  readonly plan: MembershipPlan;
}

/** The maximum number of characters in a member's name. */
export const maxNameLength = 64;

/** First byte of every membership message; messages of communicators begin with smaller ones. */
export const membershipMark = 0x80;

export function encodeMembershipMessage(message: MembershipMessage): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const bytes = new Uint8Array(1 + text.length);
  bytes[0] = membershipMark;
  bytes.set(text, 1);
  return bytes;
}

/** Throws BadMessage if the bytes are not a valid membership message. */
export function decodeMembershipMessage(bytes: Uint8Array): MembershipMessage {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(1)));
  } catch {
    throw badMessage("the membership message is not JSON");
  }
  if (typeof value !== "object" || value === null)
    throw badMessage("the membership message is not an object");
  const given = value as Readonly<Record<string, unknown>>;
  const { kind } = given;
  if (kind === "heartbeat" || kind === "leaving") return { kind };
  const epoch = natural(given.epoch, "epoch");
  if (kind === "failed") {
    if (typeof given.certain !== "boolean") throw badMessage("the failure message lacks certain");
    return { kind, epoch, rank: natural(given.rank, "rank"), certain: given.certain };
  }
  if (kind === "decided") return { kind, epoch, plan: planOf(given.plan) };
  const ballot = natural(given.ballot, "ballot");
  switch (kind) {
    case "prepare":
    case "accepted":
    case "nack":
      return { kind, epoch, ballot };
    case "accept":
      return { kind, epoch, ballot, plan: planOf(given.plan) };
    case "promise":
      return {
        kind,
        epoch,
        ballot,
        failed: ranks(given.failed, "failed"),
        accepted: accepted(given.accepted),
      };
    default:
      throw badMessage("unknown kind of membership message");
  }
}

function natural(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw badMessage(`${name} is not a valid count`);
  return value as number;
}

function ranks(value: unknown, name: string): readonly number[] {
  if (!Array.isArray(value)) throw badMessage(`${name} is not a list`);
  let last = -1;
  for (const rank of value) {
    if (natural(rank, name) <= last) throw badMessage(`${name} is not ascending`);
    last = rank;
  }
  return value;
}

function planOf(value: unknown): MembershipPlan {
  if (typeof value !== "object" || value === null) throw badMessage("the membership message has no plan");
  const { stay, join } = value as Readonly<Record<string, unknown>>;
  if (
    !Array.isArray(join) ||
    !join.every((name) => typeof name === "string" && name.length <= maxNameLength)
  ) {
    throw badMessage("join is not a list of names");
  }
  return { stay: ranks(stay, "stay"), join };
}

function accepted(value: unknown): AcceptedProposal | null {
  if (value === null) return null;
  if (typeof value !== "object" || value === undefined) throw badMessage("accepted is not an object");
  const given = value as Readonly<Record<string, unknown>>;
  return { ballot: natural(given.ballot, "ballot"), plan: planOf(given.plan) };
}
