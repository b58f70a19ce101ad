import type { OpenRequest } from "../../engine/api.ts";
import type { ViewSource } from "../../engine/saved-view/view.ts";

export function sourceOf(request: OpenRequest): ViewSource {
  switch (request.kind) {
    case "sample":
      return { kind: "sample", sample: request.sample, size: request.size };
    case "url":
    case "group":
    case "room":
    case "lattice":
      return request;
    case "file":
      return { kind: "file", name: request.file.name, raw: request.raw };
  }
}

/** Whether its data come by themselves: files and ranks do not. */
export const comesByItself = ({ kind }: ViewSource): boolean =>
  kind === "sample" || kind === "url" || kind === "lattice";

/** Undefined for files, which only the user can provide, and for what ranks have. */
export function requestOf(source: ViewSource): OpenRequest | undefined {
  switch (source.kind) {
    case "sample": {
      const { sample, size } = source;
      return { kind: "sample", sample, ...(size === undefined ? {} : { size }) };
    }
    case "url":
    case "lattice":
      return source;
    case "file":
    case "group":
    case "room":
      return undefined;
  }
}

/** Whether ranks alone have the values: those of a job, or of this page's room. */
export const isOnRanks = (source: ViewSource | undefined): boolean =>
  source?.kind === "group" || source?.kind === "room";
