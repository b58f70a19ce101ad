import type { DataSet } from "../../core/field.ts";
import type { JobContext } from "../../core/job.ts";
import { readDataSet } from "../../data/read.ts";
import { remoteSource } from "../remote-source.ts";
import { openSample } from "../samples.ts";
import type { DataSource } from "./data-source.ts";

/** Data that a page can read: samples, and files of the web whose servers allow it. */
export async function readInPage(source: DataSource, job: JobContext): Promise<DataSet | undefined> {
  if (source.kind === "sample") {
    return (await openSample(source.name, source.size ?? undefined, job)).dataSet;
  }
  return source.kind === "url" ? readDataSet(await remoteSource(source.url, job), job) : undefined;
}
