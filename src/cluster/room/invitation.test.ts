import { describe, expect, it } from "vitest";
import { makeRoomKey } from "../room-key.ts";
import { formatHostLink, formatInvitation, parseInvitation } from "./invitation.ts";

describe("invitations", () => {
  it("survive a round trip, with the key in the fragment only", () => {
    for (let k = 0; k < 50; k++) {
      const key = makeRoomKey();
      for (const at of [{ page: "https://example.org:8470/viewer/?theme=dark" }, { tcp: "10.0.0.7:4711" }]) {
        const text = formatInvitation({ key, at });
        expect(parseInvitation(` ${text}\n`)).toEqual({ key, at });
        expect(text.split("#")[0]).not.toContain("room");
      }
    }
  });

  it("are read from the links of rooms that a page is yet to open", () => {
    const key = makeRoomKey();
    const page = "https://example.org:8470/viewer/?theme=dark";
    expect(parseInvitation(formatHostLink(page, key))).toEqual({ key, at: { page } });
  });

  it.each([
    ["", "not an invitation"],
    ["https://example.org/", "not an invitation"],
    ["ftp://example.org/#room=AAAAAAAAAAAAAAAAAAAAAA", "not an invitation"],
    ["https://example.org/#room=AAAA", "incomplete"],
    ["https://example.org/#room=AAAAAAAAAAAAAAAAAAAAAB", "incomplete"],
  ])("are refused if they are %j", (text, problem) => {
    expect(() => parseInvitation(text)).toThrow(problem);
  });
});
