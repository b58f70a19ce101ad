import { malformed } from "../wire/frame.ts";

/** What members of an epoch tell each other beside messages: signs of life, failures, and the way to the next epoch. */
export type Notice =
  | { readonly kind: "beat" }
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
      readonly accepted: Accepted | null;
    }
  | { readonly kind: "accept"; readonly epoch: number; readonly ballot: number; readonly plan: Plan }
  | { readonly kind: "accepted"; readonly epoch: number; readonly ballot: number }
  /** To a proposer whose ballot is below one that was promised. */
  | { readonly kind: "outbid"; readonly epoch: number; readonly ballot: number }
  | { readonly kind: "decided"; readonly epoch: number; readonly plan: Plan };

/** Who makes the next epoch: ranks of this one, ascending, and after them members that have joined, by their names. */
export interface Plan {
  readonly stay: readonly number[];
  readonly join: readonly string[];
}

export interface Accepted {
  readonly ballot: number;
  readonly plan: Plan;
}

/** Characters of a member's name. */
export const mostNameLength = 64;

/** Begins every notice; messages of communicators begin with smaller bytes. */
export const noticeMark = 0x80;

export function encodeNotice(notice: Notice): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(notice));
  const bytes = new Uint8Array(1 + text.length);
  bytes[0] = noticeMark;
  bytes.set(text, 1);
  return bytes;
}

/** Throws BadMessage where the bytes are no notice. */
export function decodeNotice(bytes: Uint8Array): Notice {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(1)));
  } catch {
    throw malformed("has a notice that is not JSON");
  }
  if (typeof value !== "object" || value === null) throw malformed("has a notice that is no object");
  const given = value as Readonly<Record<string, unknown>>;
  const { kind } = given;
  if (kind === "beat" || kind === "leaving") return { kind };
  const epoch = natural(given.epoch, "epoch");
  if (kind === "failed") {
    if (typeof given.certain !== "boolean") throw malformed("has a notice without certainty");
    return { kind, epoch, rank: natural(given.rank, "rank"), certain: given.certain };
  }
  if (kind === "decided") return { kind, epoch, plan: planOf(given.plan) };
  const ballot = natural(given.ballot, "ballot");
  switch (kind) {
    case "prepare":
    case "accepted":
    case "outbid":
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
      throw malformed("has a notice of no known kind");
  }
}

function natural(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw malformed(`has a notice whose ${name} is no count`);
  return value as number;
}

function ranks(value: unknown, name: string): readonly number[] {
  if (!Array.isArray(value)) throw malformed(`has a notice whose ${name} are no list`);
  let last = -1;
  for (const rank of value) {
    if (natural(rank, name) <= last) throw malformed(`has a notice whose ${name} do not ascend`);
    last = rank;
  }
  return value;
}

function planOf(value: unknown): Plan {
  if (typeof value !== "object" || value === null) throw malformed("has a notice without a plan");
  const { stay, join } = value as Readonly<Record<string, unknown>>;
  if (
    !Array.isArray(join) ||
    !join.every((name) => typeof name === "string" && name.length <= mostNameLength)
  ) {
    throw malformed("has a notice whose join are no names");
  }
  return { stay: ranks(stay, "stay"), join };
}

function accepted(value: unknown): Accepted | null {
  if (value === null) return null;
  if (typeof value !== "object" || value === undefined) throw malformed("has a notice that accepted nothing");
  const given = value as Readonly<Record<string, unknown>>;
  return { ballot: natural(given.ballot, "ballot"), plan: planOf(given.plan) };
}
