import type { OpenRequest } from "../../engine/api.ts";
import type { ViewSource } from "../../engine/saved-view/view.ts";

export function sourceOf(request: OpenRequest): ViewSource {
  switch (request.kind) {
    case "sample":
      return { kind: "sample", sample: request.sample, size: request.size };
    case "url":
      return request;
    case "file":
      return { kind: "file", name: request.file.name, raw: request.raw };
  }
}

/** Undefined for files, which only the user can provide. */
export function requestOf(source: ViewSource): OpenRequest | undefined {
  switch (source.kind) {
    case "sample": {
      const { sample, size } = source;
      return { kind: "sample", sample, ...(size === undefined ? {} : { size }) };
    }
    case "url":
      return source;
    case "file":
      return undefined;
  }
}
