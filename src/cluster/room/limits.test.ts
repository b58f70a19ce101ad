import { describe, expect, it } from "vitest";
import { defaultRoomLimits, parseRoomLimits } from "./limits.ts";

describe("a room's limits", () => {
  it("default to safe values", () => {
    expect(parseRoomLimits({})).toEqual(defaultRoomLimits);
    expect(parseRoomLimits({ ranks: 8 })).toEqual({ ranks: 8, joinsPerMinute: 60, messageBytes: 2 ** 31 });
  });

  it.each([
    ["ranks", 0],
    ["ranks", 1025],
    ["joinsPerMinute", 1.5],
    ["joinsPerMinute", "many"],
    ["messageBytes", 1000],
    ["messageBytes", Number.POSITIVE_INFINITY],
  ])("are refused if %s is %s", (name, value) => {
    expect(() => parseRoomLimits({ [name]: value })).toThrow(`The room's limit ${name} is ${value}.`);
  });
});
