import { usage } from "./command-line/arguments.ts";
import { launchedRanks } from "./mpi/launched.ts";
import { pathSource } from "./path-source.ts";

/** How usages write an expression. */
export const expressionForms = "'EXPRESSION'|@FILE|-";

/** The text that an argument gives: itself, that of the file behind an @, or standard input for “-”. Throws BadFile, Usage. */
export async function expressionText(given: string): Promise<string> {
  if (given === "-") {
    if ((launchedRanks(process.env) ?? 1) > 1)
      throw usage(
        "Ranks that MPI has started share no standard input.",
        "Give the expression's file as @FILE.",
      );
    return withContent(await standardInput(), "Standard input");
  }
  if (!given.startsWith("@")) return given;
  const file = pathSource(given.slice(1));
  try {
    return withContent(new TextDecoder().decode(await file.read(0, file.size)), `“${given.slice(1)}”`);
  } finally {
    await file.close();
  }
}

async function standardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function withContent(text: string, what: string): string {
  if (text.trim() !== "") return text;
  throw usage(`${what} holds no expression.`);
}
