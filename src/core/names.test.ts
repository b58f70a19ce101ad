import { describe, expect, it } from "vitest";
import { editDistance, nearestName } from "./names.ts";

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "", 3],
    ["curl", "curl", 0],
    ["crul", "curl", 1],
    ["culr", "curl", 1],
    ["cur", "curl", 1],
    ["curls", "curl", 1],
    ["cart", "curl", 2],
    ["Curl", "curl", 0.5],
    ["kitten", "sitting", 3],
  ])("%s to %s is %d", (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected);
    expect(editDistance(b, a)).toBe(expected);
  });
});

describe("nearestName", () => {
  it("prefers the nearest, and the first of equals", () => {
    expect(nearestName("velocty", ["density", "velocity", "velocities"])).toBe("velocity");
    expect(nearestName("u2", ["u1", "u3"])).toBe("u1");
  });

  it("finds names that differ in case alone", () => {
    expect(nearestName("PRESSURE", ["density", "pressure"])).toBe("pressure");
  });

  it("finds nothing where nothing is near", () => {
    expect(nearestName("temperature", ["u", "pressure", "density"])).toBeUndefined();
    expect(nearestName("u", ["v", "w"])).toBeUndefined();
    expect(nearestName("u", [])).toBeUndefined();
  });
});
