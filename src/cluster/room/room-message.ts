import { maxNameLength } from "../membership/membership-message.ts";
import type { Addresses } from "../transport/transport.ts";
import { badMessage } from "../wire/frame.ts";

/** What a member shows to the others. */
export interface MemberInfo {
  /** The person's or the machine's. */
  readonly name: string;
  readonly device: string;
  readonly gpu: string;
}

export interface PeerRecord {
  /** In the room: nobody else's, now or later. */
  readonly id: string;
  readonly about: MemberInfo;
  readonly addresses: Addresses;
}

/** An entry with the one-time message by which the two know that the host sent them. */
export interface Introduction extends PeerRecord {
  readonly token: string;
}

/** What members of a room say to each other outside of epochs. */
export type RoomMessage =
  /** To the host: may I join? */
  | { readonly type: "join"; readonly about: MemberInfo; readonly addresses: Addresses }
  /** The host has yet to decide. */
  | { readonly type: "pending" }
  | { readonly type: "reject"; readonly reason: string }
  /** To somebody who asks: this one is the host. */
  | { readonly type: "redirect"; readonly id: string; readonly addresses: Addresses }
  /** You may: link to these. */
  | { readonly type: "invite"; readonly others: readonly Introduction[] }
  /** The host to members: this one will link to you. */
  | { readonly type: "announce"; readonly who: Introduction }
  /** To a member: the host sent me. */
  | { readonly type: "presentToken"; readonly token: string }
  | { readonly type: "linked" }
  /** To the host: I have links to all. */
  | { readonly type: "meshed" }
  /** To the host: these I cannot reach. */
  | { readonly type: "unreachable"; readonly ids: readonly string[] }
  /** The epoch that you belong to has begun. */
  | { readonly type: "welcome"; readonly epoch: number; readonly ids: readonly string[] }
  /** The host to a member: you are no member any more. */
  | { readonly type: "removed" }
  | { readonly type: "ping"; readonly at: number }
  | { readonly type: "pong"; readonly at: number };

const maxTextLength = 200;
const maxMembers = 1024;

/** Throws BadMessage where a value is no message. */
export function decodeRoomMessage(value: unknown): RoomMessage {
  const given = record(value);
  switch (given.type) {
    case "pending":
    case "linked":
    case "meshed":
    case "removed":
      return { type: given.type };
    case "join":
      return { type: "join", about: about(given.about), addresses: addresses(given.addresses) };
    case "reject":
      return { type: "reject", reason: text(given.reason) };
    case "redirect":
      return { type: "redirect", id: id(given.id), addresses: addresses(given.addresses) };
    case "invite":
      return { type: "invite", others: list(given.others).map(introduction) };
    case "announce":
      return { type: "announce", who: introduction(given.who) };
    case "presentToken":
      return { type: "presentToken", token: text(given.token) };
    case "unreachable":
      return { type: "unreachable", ids: list(given.ids).map(id) };
    case "welcome":
      return { type: "welcome", epoch: whole(given.epoch), ids: list(given.ids).map(id) };
    case "ping":
    case "pong":
      return { type: given.type, at: count(given.at) };
    default:
      throw badMessage("says something that no member says");
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badMessage("says no record");
  return value as Readonly<Record<string, unknown>>;
}

function text(value: unknown): string {
  if (typeof value !== "string" || value.length > maxTextLength) throw badMessage("says no short text");
  return value;
}

function id(value: unknown): string {
  if (typeof value !== "string" || value.length === 0 || value.length > maxNameLength) {
    throw badMessage("names nobody");
  }
  return value;
}

function count(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw badMessage("says no count");
  return value;
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw badMessage("says no number of an epoch");
  return value as number;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxMembers) throw badMessage("says no list");
  return value;
}

function about(value: unknown): MemberInfo {
  const given = record(value);
  return { name: text(given.name), device: text(given.device), gpu: text(given.gpu) };
}

function addresses(value: unknown): Addresses {
  const entries = Object.entries(record(value));
  if (entries.length > 8) throw badMessage("has too many addresses");
  return Object.fromEntries(entries.map(([path, address]) => [text(path), text(address)]));
}

function introduction(value: unknown): Introduction {
  const given = record(value);
  return {
    id: id(given.id),
    about: about(given.about),
    addresses: addresses(given.addresses),
    token: text(given.token),
  };
}
