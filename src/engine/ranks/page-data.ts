import type { JobContext } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { openData } from "../../data/read.ts";
import type { StoredData } from "../../data/stored.ts";
import { remoteSource } from "../remote-source.ts";
import type { DataSource } from "./data-source.ts";
import { openStoredSample } from "./stored-sample.ts";

/** Of larger files a rank fetches what it reads alone, with few requests for headers. */
const wholeUpTo = 2 ** 20;
const pieceBytes = 2 ** 16;

/** Data that a page can read: samples, and files of the web whose servers allow it. */
export async function readInPage(
  source: DataSource,
  job: JobContext,
  onRead: (bytes: number) => void,
): Promise<StoredData | PointSet | undefined> {
  if (source.kind === "sample") return openStoredSample(source.name, source.size ?? undefined, job);
  return source.kind === "url" ? openAddress(source, job, onRead) : undefined;
}

/** A file of the web, of which a rank then fetches what it reads, where the server supports ranges. Throws as `openData` does. */
export async function openAddress(
  { url, raw }: Extract<DataSource, { kind: "url" }>,
  job: JobContext,
  onRead: (bytes: number) => void,
): Promise<StoredData | PointSet> {
  // What is opened now is read by later jobs, too, which this one's end must not end.
  const { signal } = new AbortController();
  const options = { wholeUpTo, pieceBytes, signal, onFetched: onRead };
  return openData(await remoteSource(url, job, options), job, { raw: raw ?? undefined });
}
