#!/usr/bin/env node
// In a checkout the command line is built when its sources are newer; an installed package comes built.
import { existsSync } from "node:fs";

// A reader that has seen enough closes the pipe (head); anything else is worth a word.
process.stdout.on("error", (error) => {
  if (!("code" in error && error.code === "EPIPE"))
    console.error(`The result could not be written: ${error.message}.`);
  process.exit(1);
});

try {
  if (
    process.env.CRINKLE_IS_BUILT === undefined &&
    existsSync(new URL("../tools/build.mjs", import.meta.url))
  ) {
    const { ensureBuilt } = await import("../tools/build.mjs");
    await ensureBuilt("node", console.error);
    // The ranks that this process starts run what it runs.
    process.env.CRINKLE_IS_BUILT = "yes";
  }
  const { main } = await import(new URL("../dist/node/crinkle.js", import.meta.url).href);
  const code = await main(process.argv.slice(2));
  // Dawn keeps the process alive; what was written leaves first.
  process.stdout.write("", (error) => {
    if (!error) process.exit(code);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
