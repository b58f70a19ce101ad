import { expect, test } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { toPlainError } from "./plain-error.ts";

const parts = { tag: "BadFile", problem: "It is cut.", remedy: "Copy it again." } as const;
const span = { from: 1, to: 2, line: 1, column: 2 };

test.each([
  ["an error of this thread", new CrinkleError(parts), parts],
  ["plain parts", { ...parts, span }, { ...parts, span }],
  ["parts as a cause", new Error("x", { cause: parts }), parts],
  ["any other error", new Error("Oh."), { tag: "Internal", problem: "Oh.", remedy: "" }],
  [
    "code that did not come",
    new TypeError("Failed to fetch dynamically imported module: https://example.org/a.js"),
    { tag: "Unreachable", problem: "A part of the program could not be loaded." },
  ],
  ["a string", "Oh.", { tag: "Internal", problem: "Oh.", remedy: "" }],
  ["an error without words", new Error(), { problem: "Something failed without saying why." }],
])("%s", (_, thrown, expected) => {
  expect(toPlainError(thrown)).toMatchObject(expected);
});
