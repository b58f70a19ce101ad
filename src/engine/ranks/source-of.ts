import type { OpenRequest } from "../api.ts";
import type { DataSource } from "./data-source.ts";

/** How other ranks find what was opened; a file that the page was given is the page's alone. A lattice lives here only. */
export function sourceOf(request: Exclude<OpenRequest, { kind: "lattice" }>, opened: number): DataSource {
  if (request.kind === "sample") return { kind: "sample", name: request.sample, size: request.size ?? null };
  if (request.kind === "group") return request;
  if (request.kind === "room") {
    const { name } = request;
    const raw = request.raw ? { ...request.raw } : null;
    return /^https?:/i.test(name) ? { kind: "url", url: name, raw } : { kind: "path", path: name, raw };
  }
  return request.kind === "url"
    ? { kind: "url", url: request.url, raw: null }
    : { kind: "host", name: `${request.file.name} (${opened})` };
}
