import type { OpenRequest, SampleName } from "../../engine/api.ts";
import type { KeyValueStorage } from "./preferences.ts";

/** What a reloaded page knows of the data set that was open: a sample can be opened again, a file only named. */
export type FormerData =
  | { readonly kind: "sample"; readonly sample: SampleName; readonly size?: number }
  | { readonly kind: "file"; readonly name: string };

export interface Visit {
  former(): FormerData | undefined;
  remember(request: OpenRequest): void;
}

const key = "crinkle.open";
const sampleNames: readonly string[] = ["taylor-green", "tangle", "hydrogen"] satisfies SampleName[];

/** What is remembered while a tab lives, over its reloads. Without storage nothing is, and nothing fails. */
export function createVisit(storage: KeyValueStorage | undefined): Visit {
  return {
    former() {
      try {
        return parse(storage?.getItem(key));
      } catch {
        return undefined;
      }
    },
    remember(request) {
      const kept = request.kind === "sample" ? request : { kind: request.kind, name: request.file.name };
      try {
        storage?.setItem(key, JSON.stringify(kept));
      } catch {
        // Private windows and full disks refuse; a reload then begins anew.
      }
    },
  };
}

function parse(text: string | null | undefined): FormerData | undefined {
  const { kind, name, sample, size } = JSON.parse(text ?? "{}") as Record<string, unknown>;
  if (kind === "file" && typeof name === "string") return { kind, name };
  if (kind !== "sample" || typeof sample !== "string" || !sampleNames.includes(sample)) return undefined;
  return { kind, sample: sample as SampleName, ...(typeof size === "number" ? { size } : {}) };
}
