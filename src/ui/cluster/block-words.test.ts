import { expect, it } from "vitest";
import { cellsOf, divisionSentence, readBlocks, whyChosen } from "./block-words.ts";

const rank = (...block: readonly (readonly [number, number])[]) => ({ block });

it("says in which directions ranks have divided a grid, and what each has", () => {
  const layers = [rank([0, 8], [0, 8], [0, 2]), rank([0, 8], [0, 8], [2, 3]), rank([0, 8], [0, 8], [3, 3])];
  expect(divisionSentence(layers)).toBe("The grid is divided into layers along z.");
  const [fast, slow, other] = layers;
  const bySpeed = [
    { ...fast, speed: 1.76 },
    { ...slow, speed: 0.88 },
    { ...other, speed: 0.36 },
  ];
  expect(divisionSentence(bySpeed)).toBe(
    "The grid is divided into layers along z by the ranks’ measured speeds, 1.8 : 0.88 : 0.36.",
  );
  expect(layers.map((each) => cellsOf(each, layers))).toEqual(["z 0 – 1", "z 2 – 2", "none"]);
  const blocks = [0, 4].flatMap((x) => [0, 4].map((y) => rank([x, x + 4], [y, y + 4], [0, 1])));
  expect(divisionSentence(blocks)).toBe("The grid is divided into 2 × 2 × 1 blocks along x, y and z.");
  expect(cellsOf(blocks[1], blocks)).toBe("x 0 – 3, y 4 – 7");
  expect(divisionSentence([blocks[0]])).toBe("One rank has the whole grid.");
  expect(cellsOf(blocks[0], [blocks[0]])).toBe("all");
});

it("reads blocks as a person writes them, and says when they are not one for each rank", () => {
  for (const text of ["2x3x1", "2 × 3 × 1", "2,3,1", "2 3 1"]) expect(readBlocks(text)).toEqual([2, 3, 1]);
  expect([readBlocks("4"), readBlocks("2x2")]).toEqual([
    [1, 1, 4],
    [1, 2, 2],
  ]);
  expect(readBlocks(" ")).toBeNull();
  for (const text of ["0x1x1", "1x1x1x1", "-2", "1.5", "a"]) expect(readBlocks(text), text).toBeUndefined();
  expect([whyChosen(null, 3), whyChosen([1, 3, 1], 3)]).toEqual([undefined, undefined]);
  expect(whyChosen([2, 2, 1], 3)).toBe(
    "2 × 2 × 1 makes 4 blocks, but there are 3 ranks, so Crinkle chooses the blocks.",
  );
});
