import { mostNameLength } from "../membership/notice.ts";
import { malformed } from "../wire/frame.ts";

/** What a member shows to the others. */
export interface About {
  /** The person's or the machine's. */
  readonly name: string;
  readonly device: string;
  readonly gpu: string;
}

/** How a member can be reached, by way: what the way's `dial` takes. */
export type Addresses = Readonly<Record<string, string>>;

export interface Entry {
  /** In the room: nobody else's, now or later. */
  readonly id: string;
  readonly about: About;
  readonly addresses: Addresses;
}

/** An entry with the one-time word by which the two know that the host sent them. */
export interface Introduction extends Entry {
  readonly ticket: string;
}

/** What members of a room say to each other outside of epochs. */
export type Word =
  /** To the host: may I join? */
  | { readonly say: "ask"; readonly about: About; readonly addresses: Addresses }
  /** The host has yet to decide. */
  | { readonly say: "wait" }
  | { readonly say: "refuse"; readonly reason: string }
  /** To somebody who asks: this one is the host. */
  | { readonly say: "redirect"; readonly id: string; readonly addresses: Addresses }
  /** You may: link to these. */
  | { readonly say: "invite"; readonly others: readonly Introduction[] }
  /** The host to members: this one will link to you. */
  | { readonly say: "expect"; readonly who: Introduction }
  /** To a member: the host sent me. */
  | { readonly say: "present"; readonly ticket: string }
  | { readonly say: "linked" }
  /** To the host: I have links to all. */
  | { readonly say: "meshed" }
  /** To the host: these I cannot reach. */
  | { readonly say: "unreachable"; readonly ids: readonly string[] }
  /** The epoch that you belong to has begun. */
  | { readonly say: "welcome"; readonly epoch: number; readonly ids: readonly string[] }
  /** The host to a member: you are no member any more. */
  | { readonly say: "removed" }
  | { readonly say: "ping"; readonly at: number }
  | { readonly say: "pong"; readonly at: number };

const mostTextLength = 200;
const mostMembers = 1024;

/** Throws BadMessage where a value is no word. */
export function readWord(value: unknown): Word {
  const given = record(value);
  switch (given.say) {
    case "wait":
    case "linked":
    case "meshed":
    case "removed":
      return { say: given.say };
    case "ask":
      return { say: "ask", about: about(given.about), addresses: addresses(given.addresses) };
    case "refuse":
      return { say: "refuse", reason: text(given.reason) };
    case "redirect":
      return { say: "redirect", id: id(given.id), addresses: addresses(given.addresses) };
    case "invite":
      return { say: "invite", others: list(given.others).map(introduction) };
    case "expect":
      return { say: "expect", who: introduction(given.who) };
    case "present":
      return { say: "present", ticket: text(given.ticket) };
    case "unreachable":
      return { say: "unreachable", ids: list(given.ids).map(id) };
    case "welcome":
      return { say: "welcome", epoch: whole(given.epoch), ids: list(given.ids).map(id) };
    case "ping":
    case "pong":
      return { say: given.say, at: count(given.at) };
    default:
      throw malformed("says something that no member says");
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("says no record");
  return value as Readonly<Record<string, unknown>>;
}

function text(value: unknown): string {
  if (typeof value !== "string" || value.length > mostTextLength) throw malformed("says no short text");
  return value;
}

function id(value: unknown): string {
  if (typeof value !== "string" || value.length === 0 || value.length > mostNameLength) {
    throw malformed("names nobody");
  }
  return value;
}

function count(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw malformed("says no count");
  return value;
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw malformed("says no number of an epoch");
  return value as number;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > mostMembers) throw malformed("says no list");
  return value;
}

function about(value: unknown): About {
  const given = record(value);
  return { name: text(given.name), device: text(given.device), gpu: text(given.gpu) };
}

function addresses(value: unknown): Addresses {
  const entries = Object.entries(record(value));
  if (entries.length > 8) throw malformed("has too many addresses");
  return Object.fromEntries(entries.map(([way, address]) => [text(way), text(address)]));
}

function introduction(value: unknown): Introduction {
  const given = record(value);
  return {
    id: id(given.id),
    about: about(given.about),
    addresses: addresses(given.addresses),
    ticket: text(given.ticket),
  };
}
