import { describe, expect, it } from "vitest";
import { layerBlocks } from "./layers.ts";

describe("layers in blocks", () => {
  it("are each in one block of one rank, with a plane of ghosts where the grid goes on", () => {
    const blocks = [0, 1].flatMap((rank) => layerBlocks({ rank, size: 2 }, 10, 1, 6));
    expect(blocks).toEqual([
      { layers: [0, 4], planes: [0, 6] },
      { layers: [4, 6], planes: [3, 8] },
      { layers: [6, 9], planes: [5, 10] },
    ]);
  });

  it("are one block where that fits", () => {
    expect(layerBlocks({ rank: 0, size: 1 }, 512, 1, 512)).toHaveLength(1);
    expect(layerBlocks({ rank: 0, size: 1 }, 512, 1, 511)).toHaveLength(2);
    expect(layerBlocks({ rank: 1, size: 2 }, 9, 1, Number.POSITIVE_INFINITY)).toEqual([
      { layers: [4, 8], planes: [3, 9] },
    ]);
  });

  it("are refused where a block would hold none", () => {
    expect(() => layerBlocks({ rank: 0, size: 1 }, 10, 1, 3)).toThrow(RangeError);
  });
});
