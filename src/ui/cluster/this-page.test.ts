import { expect, it } from "vitest";
import { describeBrowser, invitationIn } from "./this-page.ts";

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
    "Chrome 156 on Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0",
    "Edge 150 on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari 18 on iPhone",
  ],
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox 140 on Android"],
  ["Lynx", "A browser"],
])("%s is %s", (userAgent, name) => {
  expect(describeBrowser({ userAgent })).toBe(name);
});

it("distinguishes links of rooms that it shall open from those of open rooms", () => {
  const room = "https://host:8470/page?a=b#room=AAAAAAAAAAAAAAAAAAAAAA";
  expect(invitationIn(room)).toEqual([room, false]);
  expect(invitationIn(`${room}&host`)).toEqual([room, true]);
});
