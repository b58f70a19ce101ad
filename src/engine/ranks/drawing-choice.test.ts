import { describe, expect, it } from "vitest";
import { chooseDrawing, type DrawingSituation } from "./drawing-choice.ts";

const situation: DrawingSituation = {
  method: "automatic",
  gatheredBytes: 200e6,
  view: { width: 1200, height: 900 },
  isMoving: false,
  isTranslucent: false,
  without: [],
};

const chosen = (change: Partial<DrawingSituation>) => {
  const { isByRanks, why } = chooseDrawing({ ...situation, ...change });
  return { isByRanks, why };
};

describe("the choice who draws", () => {
  it("is whoever has fewer bytes to send: pictures grow with the view, triangles with the surface", () => {
    expect(chosen({})).toEqual({ isByRanks: true, why: "bytes" });
    expect(chosen({ gatheredBytes: 1e6 })).toEqual({ isByRanks: false, why: "bytes" });
    expect(chosen({ view: { width: 12_000, height: 9000 } })).toEqual({ isByRanks: false, why: "bytes" });
  });

  it("changes where 60 pictures of half the width and height, and four whole ones, are as many bytes", () => {
    const { expectedBytes } = chooseDrawing(situation);
    expect(expectedBytes).toBe(1200 * 900 * (60 / 4 + 4));
    expect(chosen({ gatheredBytes: expectedBytes }).isByRanks).toBe(false);
    expect(chosen({ gatheredBytes: expectedBytes + 1 }).isByRanks).toBe(true);
  });

  it("is of one small picture while the surface changes, and may be another at rest", () => {
    const moving = { ...situation, isMoving: true, gatheredBytes: 1e6 };
    expect(chooseDrawing(moving)).toMatchObject({
      isByRanks: true,
      expectedBytes: 1200 * 900 * (1 / 4),
      holdsAtRest: false,
    });
    expect(chooseDrawing({ ...moving, gatheredBytes: 1e5 })).toMatchObject({
      isByRanks: false,
      holdsAtRest: true,
    });
    expect(chooseDrawing({ ...moving, gatheredBytes: 200e6 }).holdsAtRest).toBe(true);
    expect(chooseDrawing({ ...moving, method: "host" })).toMatchObject({
      isByRanks: false,
      holdsAtRest: true,
    });
  });

  it("is the person's, whatever the bytes", () => {
    expect(chosen({ method: "host" })).toEqual({ isByRanks: false, why: "asked" });
    expect(chosen({ method: "ranks", gatheredBytes: 10 })).toEqual({ isByRanks: true, why: "asked" });
  });

  it("is the host where the surface is translucent, or a rank has no GPU, even where ranks are asked to", () => {
    for (const method of ["automatic", "ranks"] as const) {
      expect(chosen({ method, isTranslucent: true })).toEqual({ isByRanks: false, why: "translucent" });
      expect(chosen({ method, without: [2] })).toEqual({ isByRanks: false, why: "no GPU" });
    }
    expect(chosen({ gatheredBytes: 1e6, without: [2] }).why).toBe("bytes");
  });
});
