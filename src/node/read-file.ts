import type { DataSet } from "../core/field.ts";
import { unattended } from "../core/job.ts";
import { readDataSet } from "../data/read.ts";
import type { Terminal } from "./command-line/command.ts";
import { companionsOf, type PathSource, pathSource } from "./path-source.ts";

/** Reads the data set of a path, and tells the reader's notes. Throws CrinkleError. */
export async function readFile(path: string, terminal: Terminal): Promise<DataSet> {
  const opened: PathSource[] = [pathSource(path)];
  const companion = companionsOf(path);
  try {
    const dataSet = await readDataSet(opened[0], unattended, {
      companions: (name) => {
        const source = companion(name);
        if (source) opened.push(source);
        return source;
      },
    });
    for (const note of dataSet.notes) terminal.err(note);
    return dataSet;
  } finally {
    for (const source of opened) await source.close();
  }
}
