import { maxNameLength } from "../membership/membership-message.ts";
import type { Addresses } from "../transport/transport.ts";
import { badMessage } from "../wire/frame.ts";

/** What a member shows to the others. */
export interface MemberInfo {
  /** Name of the person or the machine. */
  readonly name: string;
  readonly device: string;
  readonly gpu: string;
  /** Ranks behind this member that are not in the room, such as those of an MPI job, and what they have. */
  readonly group?: GroupInfo;
}

/** What a member that stands for a group of ranks shows of it. */
export interface GroupInfo {
  /** Identifies the group, also where its member joins again as another one. */
  readonly id: string;
  /** The name of its data. */
  readonly data: string;
  /** How many ranks there are, the member included. */
  readonly ranks: number;
}

export interface PeerRecord {
  /** Identifies the member in the room; never reused. */
  readonly id: string;
  readonly about: MemberInfo;
  readonly addresses: Addresses;
}

/** A peer record with the one-time token by which both sides know that the host introduced them. */
export interface Introduction extends PeerRecord {
  readonly token: string;
}

/** Messages between room members outside of epochs. */
export type RoomMessage =
  /** To the host: a request to join. */
  | { readonly type: "join"; readonly about: MemberInfo; readonly addresses: Addresses }
  /** The host has yet to decide. */
  | { readonly type: "pending" }
  | { readonly type: "reject"; readonly reason: string }
  /** Answer to a join request: this peer is the host. */
  | { readonly type: "redirect"; readonly id: string; readonly addresses: Addresses }
  /** The request is granted: link to these members. */
  | { readonly type: "invite"; readonly others: readonly Introduction[] }
  /** From the host to members: this peer will link to you. */
  | { readonly type: "announce"; readonly who: Introduction }
  /** To a member: the host introduced this peer. */
  | { readonly type: "presentToken"; readonly token: string }
  | { readonly type: "linked" }
  /** To the host: this peer is linked to all members. */
  | { readonly type: "meshed" }
  /** To the host: this peer cannot reach these members. */
  | { readonly type: "unreachable"; readonly ids: readonly string[] }
  /** The first epoch of the receiver has begun. */
  | { readonly type: "welcome"; readonly epoch: number; readonly ids: readonly string[] }
  /** From the host to a member: you have been removed. */
  | { readonly type: "removed" }
  | { readonly type: "ping"; readonly at: number }
  | { readonly type: "pong"; readonly at: number };

const maxTextLength = 200;
const maxMembers = 1024;

/** Throws BadMessage if the value is not a valid message. */
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
      throw badMessage("unknown type of room message");
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badMessage("the message is not an object");
  return value as Readonly<Record<string, unknown>>;
}

function text(value: unknown): string {
  if (typeof value !== "string" || value.length > maxTextLength) throw badMessage("not a text, or too long");
  return value;
}

function id(value: unknown): string {
  if (typeof value !== "string" || value.length === 0 || value.length > maxNameLength) {
    throw badMessage("not a valid member id");
  }
  return value;
}

function count(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
    throw badMessage("not a valid count");
  return value;
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw badMessage("not a valid epoch number");
  return value as number;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxMembers) throw badMessage("not a list, or too long");
  return value;
}

function about(value: unknown): MemberInfo {
  const given = record(value);
  const { group } = given;
  return {
    name: text(given.name),
    device: text(given.device),
    gpu: text(given.gpu),
    ...(group === undefined ? {} : { group: groupInfo(group) }),
  };
}

function groupInfo(value: unknown): GroupInfo {
  const given = record(value);
  const ranks = count(given.ranks);
  if (!Number.isSafeInteger(ranks) || ranks < 1) throw badMessage("not a valid number of ranks");
  return { id: id(given.id), data: text(given.data), ranks };
}

function addresses(value: unknown): Addresses {
  const entries = Object.entries(record(value));
  if (entries.length > 8) throw badMessage("too many addresses");
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
