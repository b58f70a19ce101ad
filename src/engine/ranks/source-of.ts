import type { OpenRequest } from "../api.ts";
import type { DataSource } from "./data-source.ts";

/** How other ranks find what was opened; a file that the page was given is the page's alone. */
export function sourceOf(request: OpenRequest, opened: number): DataSource {
  if (request.kind === "sample") return { kind: "sample", name: request.sample, size: request.size ?? null };
  if (request.kind === "group") return request;
  return request.kind === "url"
    ? { kind: "url", url: request.url }
    : { kind: "host", name: `${request.file.name} (${opened})` };
}
