#!/usr/bin/env node
// Writes the expression language's parser from its grammar: node tools/make-grammar.mjs
import { readFile, writeFile } from "node:fs/promises";
import { buildParserFile } from "@lezer/generator";

const folder = new URL("../src/lang/expression/grammar/", import.meta.url);

/** The two files that the grammar generates, by name. */
export async function generateParser() {
  const grammar = await readFile(new URL("expression.grammar", folder), "utf8");
  const { parser, terms } = buildParserFile(grammar, {
    fileName: "expression.grammar",
    moduleStyle: "es",
    typeScript: true,
    warn: (message) => {
      throw new Error(message);
    },
  });
  // The generator names the terms' file without its extension in nothing but this one place: our own imports.
  return { "parser.ts": parser, "parser.terms.ts": terms };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const [name, text] of Object.entries(await generateParser())) {
    await writeFile(new URL(name, folder), text);
    console.log(`wrote src/lang/expression/grammar/${name}`);
  }
}
