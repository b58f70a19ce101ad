import type { JobContext } from "../core/job.ts";
import { readData } from "../data/read.ts";
import { blobSource } from "../data/source.ts";
import type { OpenRequest } from "./api.ts";
import { nameOfLattice } from "./lattice/name.ts";
import { openSample } from "./samples.ts";

/** What a progress line calls it. */
export function nameOf(request: OpenRequest): string {
  if (request.kind === "url") return request.url;
  if (request.kind === "lattice") return nameOfLattice(request);
  if ("name" in request) return request.name;
  return request.kind === "file" ? request.file.name : request.sample;
}

/** The data that a page asks for, with a sample's suggestion. Throws what readers throw. */
export async function readRequest(
  request: Exclude<OpenRequest, { kind: "group" | "room" | "lattice" }>,
  job: JobContext,
) {
  if (request.kind === "sample") return openSample(request.sample, request.size, job);
  if (request.kind === "url") {
    const { remoteSource } = await import("./remote-source.ts");
    const dataSet = await readData(await remoteSource(request.url, job), job);
    return { dataSet, suggestion: undefined };
  }
  const { file, raw, companions = [] } = request;
  const dataSet = await readData(blobSource(file, file.name), job, {
    raw,
    companions: (name) => {
      const found = companions.find((companion) => companion.name === name);
      return found && blobSource(found, found.name);
    },
  });
  return { dataSet, suggestion: undefined };
}
