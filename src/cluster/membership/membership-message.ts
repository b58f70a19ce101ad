import { badMessage } from "../wire/frame.ts";

/** What members of an epoch tell each other beside messages: signs of life, failures, and the way to the next epoch. */
export type MembershipMessage =
  | { readonly kind: "heartbeat" }
  /** The sender goes for good; it closes the link next. */
  | { readonly kind: "leaving" }
  /** The sender takes a rank for failed: `certain` where it cannot come back. */
  | { readonly kind: "failed"; readonly epoch: number; readonly rank: number; readonly certain: boolean }
  /** Paxos: who proposes with the highest ballot asks what was accepted, then has its value accepted. */
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
  /** To a proposer whose ballot is below one that was promised. */
  | { readonly kind: "nack"; readonly epoch: number; readonly ballot: number }
  | { readonly kind: "decided"; readonly epoch: number; readonly plan: MembershipPlan };

/** Who makes the next epoch: ranks of this one, ascending, and after them members that have joined, by their names. */
export interface MembershipPlan {
  readonly stay: readonly number[];
  readonly join: readonly string[];
}

export interface AcceptedProposal {
  readonly ballot: number;
  readonly plan: MembershipPlan;
}

/** Characters of a member's name. */
export const maxNameLength = 64;

/** Begins every notice; messages of communicators begin with smaller bytes. */
export const membershipMark = 0x80;

export function encodeMembershipMessage(notice: MembershipMessage): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(notice));
  const bytes = new Uint8Array(1 + text.length);
  bytes[0] = membershipMark;
  bytes.set(text, 1);
  return bytes;
}

/** Throws BadMessage where the bytes are no notice. */
export function decodeMembershipMessage(bytes: Uint8Array): MembershipMessage {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(1)));
  } catch {
    throw badMessage("has a notice that is not JSON");
  }
  if (typeof value !== "object" || value === null) throw badMessage("has a notice that is no object");
  const given = value as Readonly<Record<string, unknown>>;
  const { kind } = given;
  if (kind === "heartbeat" || kind === "leaving") return { kind };
  const epoch = natural(given.epoch, "epoch");
  if (kind === "failed") {
    if (typeof given.certain !== "boolean") throw badMessage("has a notice without certainty");
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
      throw badMessage("has a notice of no known kind");
  }
}

function natural(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw badMessage(`has a notice whose ${name} is no count`);
  return value as number;
}

function ranks(value: unknown, name: string): readonly number[] {
  if (!Array.isArray(value)) throw badMessage(`has a notice whose ${name} are no list`);
  let last = -1;
  for (const rank of value) {
    if (natural(rank, name) <= last) throw badMessage(`has a notice whose ${name} do not ascend`);
    last = rank;
  }
  return value;
}

function planOf(value: unknown): MembershipPlan {
  if (typeof value !== "object" || value === null) throw badMessage("has a notice without a plan");
  const { stay, join } = value as Readonly<Record<string, unknown>>;
  if (
    !Array.isArray(join) ||
    !join.every((name) => typeof name === "string" && name.length <= maxNameLength)
  ) {
    throw badMessage("has a notice whose join are no names");
  }
  return { stay: ranks(stay, "stay"), join };
}

function accepted(value: unknown): AcceptedProposal | null {
  if (value === null) return null;
  if (typeof value !== "object" || value === undefined)
    throw badMessage("has a notice that accepted nothing");
  const given = value as Readonly<Record<string, unknown>>;
  return { ballot: natural(given.ballot, "ballot"), plan: planOf(given.plan) };
}
