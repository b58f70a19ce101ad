import { describe, expect, it } from "vitest";
import type { LayerRanks } from "../../engine/api.ts";
import { drawingSentence } from "./drawing-sentence.ts";

type Choice = LayerRanks["choice"];

const sentence = (choice: Partial<Choice>, pictureBytes?: number) => {
  const ranks = [0, 1, 2].map((rank) => ({ rank })) as unknown as LayerRanks["ranks"];
  const costs = { gatheredBytes: 212 * 2 ** 20, expectedBytes: 20 * 2 ** 20, without: [], holdsAtRest: true };
  return drawingSentence({
    ranks,
    choice: { ...costs, isByRanks: false, why: "bytes", ...choice },
    pictureBytes,
  });
};

describe("the sentence on who draws", () => {
  it("compares a picture with the surface where ranks draw", () => {
    expect(sentence({ isByRanks: true }, 0.4 * 2 ** 20)).toBe(
      "3 ranks draw their parts: 410\u00a0KiB a picture; gathered, the surface would be 212\u00a0MiB.",
    );
    expect(sentence({ isByRanks: true, why: "asked" })).toBe(
      "3 ranks draw their parts; gathered, the surface would be 212\u00a0MiB.",
    );
  });

  it("gives the reason where this page draws", () => {
    const page = "This page gathers the surface, 212\u00a0MiB, and draws it";
    expect(sentence({})).toBe(
      `${page}, because pictures would take more data: about 20\u00a0MiB until the next surface.`,
    );
    expect(sentence({ why: "asked" })).toBe(`${page}, as you have chosen.`);
    expect(sentence({ why: "translucent" })).toBe(
      `${page}, because pictures of translucent parts cannot be composited by depth.`,
    );
    expect(sentence({ why: "no GPU", without: [2] })).toBe(
      `${page}, because rank 2 has no GPU to draw with.`,
    );
    expect(sentence({ why: "no GPU", without: [0, 1, 3] })).toBe(
      `${page}, because ranks 0, 1, and 3 have no GPU to draw with.`,
    );
  });
});
