/** The path of the PeerServer on the page's own host. */
export const signallingPath = "/peer";

/**
 * The type of the message by which our servers tell a room that a member's connection to the server has
 * closed, with its id as `src`. A hint: the member may be alive, and anybody who knows the room can cause
 * one.
 */
export const goneType = "GONE";

/** A member's address on the server. Both parts are letters and digits; the room's part is never its key. */
export const addressOf = (room: string, member: string): string => `${room}-${member}`;

/** The room of an address; undefined if the address is invalid. */
export function roomOf(address: string): string | undefined {
  const [, room] = /^([A-Za-z0-9]{1,64})-[A-Za-z0-9]{1,64}$/.exec(address) ?? [];
  return room;
}
