import { expect, it } from "vitest";
import { CrinkleError, fromPlainError } from "./errors.ts";

const place = (from: number) => ({ from, to: from + 1, line: 1, column: from + 1 });

it("crosses a boundary as plain data, with all places that it speaks of", () => {
  const error = new CrinkleError({
    tag: "TypeError",
    problem: "It does not fit.",
    remedy: "Do otherwise.",
    span: place(3),
    related: [place(7)],
    cause: new Error("inner"),
  });
  const again = fromPlainError(structuredClone(error.toPlain()));
  expect(again).toMatchObject({
    tag: "TypeError",
    message: "It does not fit. Do otherwise.",
    span: place(3),
    related: [place(7)],
  });
  expect(new CrinkleError({ tag: "BadFile", problem: "It is cut off." }).toPlain()).toEqual({
    tag: "BadFile",
    problem: "It is cut off.",
    remedy: "",
  });
});
