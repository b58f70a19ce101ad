import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { modelNamed, parametersOf } from "./models.ts";

const page = readFileSync("docs/lattices.md", "utf8");

/** Kernel text of the page: blocks that begin with a comment of the model that has it. */
const examples = [...page.matchAll(/```wgsl\n\/\/ (\S+)\n(.*?)```/gs)].map(([, name, text]) => ({
  name,
  text,
}));

it("shows kernel text that models have on 8 × 4 sites", () => {
  expect(examples.map(({ name }) => name)).toEqual(["prisoners-dilemma", "kawasaki"]);
  for (const { name, text } of examples) {
    const model = modelNamed(name);
    const { sweep } = model.on([8, 4], parametersOf(model, {}, 2));
    expect(sweep.some((pass) => pass.text.includes(text.trim()))).toBe(true);
  }
});

it("names the usual temperatures", () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)`[^|]*\|((?: [0-9.]* +\|)+)$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(["ising", "potts", "heisenberg", "kawasaki", "kawasaki-bcc"]);
  for (const [, name, cells] of rows) {
    const written = cells.split("|").flatMap((cell) => (cell.trim() === "" ? [] : [Number(cell)]));
    expect([name, written]).toEqual([name, modelNamed(name).parameters.temperature.defaultByAxes]);
  }
});
