import { describe, expect, it } from "vitest";
import { formatCount } from "./format.ts";

describe("formatCount", () => {
  it.each([
    0,
    7,
    999,
    1000,
    12_345,
    123_456,
    1_234_567,
    2 ** 32 - 1,
    Number.MAX_SAFE_INTEGER,
    -1,
    -999,
    -1000,
  ])("writes %d as English does", (count) => expect(formatCount(count)).toBe(count.toLocaleString("en-US")));
});
