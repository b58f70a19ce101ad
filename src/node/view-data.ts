import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CrinkleError } from "../core/errors.ts";
import type { DataSet } from "../core/field.ts";
import { noJob } from "../core/job.ts";
import type { PointSet } from "../core/point-set.ts";
import { readData } from "../data/read.ts";
import type { DataSource } from "../engine/ranks/data-source.ts";
import { remoteSource } from "../engine/remote-source.ts";
import { readSample, taylorGreenFile } from "../engine/samples.ts";
import type { SavedView, ViewSource } from "../engine/saved-view/view.ts";
import type { Session } from "../engine/session.ts";
import type { Terminal } from "./command-line/command.ts";
import { sourceAt } from "./ranked-calls.ts";
import { readAnyFile } from "./read-file.ts";

/**
 * Reads what a saved view shows, or the file at `path` instead. Throws Usage where the view is of a file and no path is
 * given, and what readers throw.
 */
async function readViewData(
  source: Exclude<ViewSource, { kind: "lattice" }>,
  path: string | undefined,
  terminal: Terminal,
): Promise<DataSet | PointSet> {
  if (path !== undefined) return readAnyFile(path, terminal, noJob, "raw" in source ? source.raw : undefined);
  switch (source.kind) {
    case "sample":
      return readSample(source.sample, source.size, noJob, sampleFile);
    case "url": {
      const data = await readData(await remoteSource(source.url, noJob), noJob);
      for (const note of data.notes) terminal.err(note);
      return data;
    }
    case "file":
    case "group":
    case "room":
      throw noPath(source);
  }
}

/** Whether a view is of points, which one rank draws. */
export const showsPoints = ({ layers }: SavedView): boolean =>
  layers.some(({ shape }) => shape.kind === "points");

/** Reads what a view shows, or the file at `path` instead, into the session that is opened for it. Throws as `readViewData`. */
export async function openViewSession(
  source: ViewSource,
  path: string | undefined,
  terminal: Terminal,
  open: () => Promise<Session>,
): Promise<Session> {
  const content = source.kind === "lattice" ? source : await readViewData(source, path, terminal);
  const session = await open();
  await session.setData(
    await ("model" in content ? session.prepareLattice(content, noJob) : session.prepare(content, noJob)),
  );
  return session;
}

/**
 * Where ranks find what a saved view shows, each its own part, or the file at `path` instead. Throws Usage where no rank can read
 * it.
 */
export async function viewSource(source: ViewSource, path: string | undefined): Promise<DataSource> {
  if (path !== undefined) return sourceAt(path, "raw" in source ? source.raw : undefined);
  switch (source.kind) {
    case "sample": {
      const { sample: name, size } = source;
      return name === "taylor-green"
        ? sourceAt(samplePath(taylorGreenFile))
        : { kind: "sample", name, size: size ?? null };
    }
    case "url":
      return { kind: "url", url: source.url, raw: null };
    case "lattice":
      throw new CrinkleError({
        tag: "Usage",
        problem: "The view shows a lattice, which one rank simulates.",
        remedy: "Leave --ranks out.",
      });
    case "file":
    case "group":
    case "room":
      throw noPath(source);
  }
}

const noPath = ({ kind, name }: Extract<ViewSource, { readonly kind: "file" | "group" | "room" }>) =>
  new CrinkleError({
    tag: "Usage",
    problem:
      kind === "file"
        ? `The view shows the file ${name}, but does not record its folder.`
        : `The view shows ${name}, which ranks had.`,
    remedy: `Give its path: --data ${name}.`,
  });

/** Where the page's samples are: in the built page beside this program's folder, or in a checkout that has not built it. */
const sampleFolders = ["../web/samples/", "../../public/samples/"];

const sampleFile = (name: string): Promise<Uint8Array> => readFile(samplePath(name));

function samplePath(name: string): string {
  const paths = sampleFolders.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  const path = paths.find((each) => existsSync(each));
  if (path !== undefined) return path;
  throw new CrinkleError({
    tag: "BadFile",
    problem: `The sample ${name} is not installed with this command line.`,
    remedy: "Install the whole package, or give the path of a copy with --data.",
  });
}
