import type { DataSet } from "../core/field.ts";
import { type JobContext, noJob } from "../core/job.ts";
import type { PointSet } from "../core/point-set.ts";
import { countedSource } from "../data/counted-source.ts";
import type { RawOptions } from "../data/raw/describe.ts";
import { openData, type ReadOptions, readData, readDataSet } from "../data/read.ts";
import type { Source } from "../data/source.ts";
import type { StoredData } from "../data/stored.ts";
import type { Terminal } from "./command-line/command.ts";
import { companionsOf, type PathSource, pathSource, unopenedSource } from "./path-source.ts";

/** Reads the data set at a path, `raw` if that describes it, and prints the reader's notes. Throws CrinkleError, also for points. */
export function readFile(path: string, terminal: Terminal, raw?: RawOptions): Promise<DataSet> {
  return readWith(readDataSet, path, terminal, noJob, raw);
}

/** Reads the data at a path, `raw` if that describes them, and prints the reader's notes. Throws CrinkleError. */
export function readAnyFile(
  path: string,
  terminal: Terminal,
  job = noJob,
  raw?: RawOptions,
): Promise<DataSet | PointSet> {
  return readWith(readData, path, terminal, job, raw);
}

/** Opens the data at a path, `raw` if that describes them, whose files are open only while they are read. Throws CrinkleError. */
export function openFile(
  path: string,
  job: JobContext,
  onRead: (bytes: number) => void,
  raw?: RawOptions,
): Promise<StoredData | PointSet> {
  const counted = (source: PathSource) => countedSource(unopenedSource(source), onRead);
  const companion = companionsOf(path);
  const companions = (name: string) => {
    const source = companion(name);
    return source && counted(source);
  };
  return openData(counted(pathSource(path)), job, { companions, raw });
}

async function readWith<Data extends { readonly notes: readonly string[] }>(
  read: (source: Source, job: JobContext, options: ReadOptions) => Promise<Data>,
  path: string,
  terminal: Terminal,
  job: JobContext,
  raw?: RawOptions,
): Promise<Data> {
  const opened: PathSource[] = [pathSource(path)];
  const companion = companionsOf(path);
  try {
    const data = await read(opened[0], job, {
      raw,
      companions: (name) => {
        const source = companion(name);
        if (source) opened.push(source);
        return source;
      },
    });
    for (const note of data.notes) terminal.err(note);
    return data;
  } finally {
    for (const source of opened) await source.close();
  }
}
