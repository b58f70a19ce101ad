import { expect, it } from "vitest";
import { blockChoices, cellsOf, divisionSentence, textOf, whyChosen } from "./block-words.ts";

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

it("offers all divisions among the ranks, and what was wanted of another number of ranks, with the command line's sentence", () => {
  const labels = (...given: Parameters<typeof blockChoices>) =>
    blockChoices(...given).map(({ label }) => label);
  const named = ["Automatic", "Layers along z"];
  expect(labels(4, null)).toEqual([
    ...named,
    "1 × 2 × 2",
    "1 × 4 × 1",
    "2 × 1 × 2",
    "2 × 2 × 1",
    "4 × 1 × 1",
  ]);
  expect(labels(2, [2, 2, 1])).toEqual([...named, "1 × 2 × 1", "2 × 1 × 1", "2 × 2 × 1"]);
  for (const wanted of [null, "layers", [2, 2, 1]] as const) {
    const chosen = blockChoices(3, wanted).find(({ value }) => value === textOf(wanted));
    expect(chosen?.blocks).toEqual(wanted);
    expect(whyChosen(wanted, 4)).toBeUndefined();
  }
  expect(whyChosen([2, 2, 1], 3)).toBe(
    "The blocks 2x2x1 are not one for each of 3 ranks. Give three whole numbers whose product is 3, such as 1x1x3. Until then, Crinkle chooses them.",
  );
});
