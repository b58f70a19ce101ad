import { describe, expect, it } from "vitest";
import { makeRoomKey } from "../room-key.ts";
import { formatInvitation, parseInvitation } from "./invitation.ts";

describe("invitations", () => {
  it("read as they were written, the key in the fragment only", () => {
    for (let k = 0; k < 50; k++) {
      const key = makeRoomKey();
      for (const at of [{ page: "https://example.org:8470/viewer/?theme=dark" }, { tcp: "10.0.0.7:4711" }]) {
        const text = formatInvitation({ key, at });
        expect(parseInvitation(` ${text}\n`)).toEqual({ key, at });
        expect(text.split("#")[0]).not.toContain("room");
      }
    }
  });

  it.each([
    ["", "no invitation"],
    ["https://example.org/", "no invitation"],
    ["ftp://example.org/#room=AAAAAAAAAAAAAAAAAAAAAA", "no invitation"],
    ["https://example.org/#room=AAAA", "incomplete"],
    ["https://example.org/#room=AAAAAAAAAAAAAAAAAAAAAB", "incomplete"],
  ])("are refused where they are %j", (text, problem) => {
    expect(() => parseInvitation(text)).toThrow(problem);
  });
});
