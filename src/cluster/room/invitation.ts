import { CrinkleError } from "../../core/errors.ts";
import { formatRoomKey, parseRoomKey, type RoomKey } from "../room-key.ts";

/**
 * What is needed to join: where the host is, and the room's key. The key is in the link's fragment, which
 * browsers never send.
 */
export interface Invitation {
  readonly key: RoomKey;
  /**
   * The page in which the room was opened, whose server introduces the ranks; or `host:port` of a listening
   * rank.
   */
  readonly at: { readonly page: string } | { readonly tcp: string };
}

export function formatInvitation({ key, at }: Invitation): string {
  const fragment = `#room=${formatRoomKey(key)}`;
  return "page" in at ? new URL(fragment, at.page).href : `tcp://${at.tcp}/${fragment}`;
}

/** The link of a room that nobody has opened yet: the page that is opened by it hosts the room. */
export const formatHostLink = (page: string, key: RoomKey): string =>
  `${formatInvitation({ key, at: { page } })}&host`;

/** Throws BadArgument if the text is not an invitation. */
export function parseInvitation(text: string): Invitation {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const room = new URLSearchParams(url?.hash.slice(1)).get("room");
  if (!url || !/^(https?|tcp):$/.test(url.protocol) || room === null) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `“${text.slice(0, 60)}” is not an invitation to a room.`,
      remedy:
        "An invitation is a link such as https://example.org/#room=…, as “Share” shows it; put it in quotes in a shell.",
    });
  }
  const key = parseRoomKey(room);
  if (url.protocol === "tcp:") return { key, at: { tcp: `${url.hostname}:${url.port}` } };
  url.hash = "";
  return { key, at: { page: url.href } };
}
