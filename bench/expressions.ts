// Reads random texts of the expression language: `node dist/bench/expressions.js [--count N] [--seed N]`; exits with 1
// where one crashes what reads it, or has an error without a place in it.

import { parseArgs } from "node:util";
import { describeError } from "../src/core/errors.ts";
import { checkText } from "../src/lang/expression/testing/check-text.ts";
import { randomTexts } from "../src/lang/expression/testing/random-texts.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(seed))) {
  throw new Error("Usage: expressions [--count N] [--seed N]");
}

const maxShown = 10;
const next = randomTexts(seed);
const since = performance.now();
let compiled = 0;
let wrong = 0;
for (let i = 0; i < count; i++) {
  const text = next();
  try {
    if (checkText(text, i % (text.length + 1)) === "compiles") compiled++;
  } catch (error) {
    if (++wrong <= maxShown) console.log(`✗ text ${i}: ${describeError(error)}\n    ${JSON.stringify(text)}`);
  }
}
const seconds = ((performance.now() - since) / 1000).toFixed(1);
console.log(
  `${count} texts, of which ${compiled} compile, in ${seconds} s: ${wrong ? `${wrong} wrong` : "all right"}.`,
);
process.exitCode = wrong ? 1 : 0;
