import { readFile } from "node:fs/promises";
import { CrinkleError } from "../core/errors.ts";
import type { DataSet } from "../core/field.ts";
import { noJob } from "../core/job.ts";
import type { PointSet } from "../core/point-set.ts";
import { readData } from "../data/read.ts";
import { remoteSource } from "../engine/remote-source.ts";
import { readSample } from "../engine/samples.ts";
import type { ViewSource } from "../engine/saved-view/view.ts";
import type { Terminal } from "./command-line/command.ts";
import { readAnyFile } from "./read-file.ts";

/**
 * Reads what a saved view shows, or the file at `path` instead. Throws Usage where the view is of a file and no path is
 * given, and what readers throw.
 */
export async function readViewData(
  source: Exclude<ViewSource, { kind: "lattice" }>,
  path: string | undefined,
  terminal: Terminal,
): Promise<DataSet | PointSet> {
  if (path !== undefined)
    return readAnyFile(path, terminal, noJob, source.kind === "file" ? source.raw : undefined);
  switch (source.kind) {
    case "sample":
      return readSample(source.sample, source.size, noJob, sampleFile);
    case "url": {
      const data = await readData(await remoteSource(source.url, noJob), noJob);
      for (const note of data.notes) terminal.err(note);
      return data;
    }
    case "file":
      throw new CrinkleError({
        tag: "Usage",
        problem: `The view shows the file ${source.name}, whose folder it does not know.`,
        remedy: `Give its path: --data ${source.name}.`,
      });
    case "group":
    case "room":
      throw new CrinkleError({
        tag: "Usage",
        problem: `The view shows ${source.name}, which ranks had.`,
        remedy: `Give its path: --data ${source.name}.`,
      });
  }
}

/** Where the page's samples are: in the built page beside this program's folder, or in a checkout that has not built it. */
const sampleFolders = ["../web/samples/", "../../public/samples/"];

async function sampleFile(name: string): Promise<Uint8Array> {
  for (const folder of sampleFolders) {
    try {
      return await readFile(new URL(folder + name, import.meta.url));
    } catch {
      // It may be in the next folder.
    }
  }
  throw new CrinkleError({
    tag: "BadFile",
    problem: `The sample ${name} is not installed with this command line.`,
    remedy: "Install the whole package, or give the path of a copy with --data.",
  });
}
