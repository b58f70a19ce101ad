import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { SampleName } from "../api.ts";

/**
 * Where a job's data come from, by name: a sample, which each rank makes or fetches itself; a file at an address or a path,
 * where ranks may read it; what the host alone has, and sends to the others in parts; or what a group of ranks beside the
 * room has, which alone computes on it.
 */
export type DataSource =
  | { readonly kind: "sample"; readonly name: SampleName; readonly size: number | null }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "host"; readonly name: string }
  | GroupSource;

/** Data that a group of ranks beside the room has, by the group's id and the data's name. */
export interface GroupSource {
  readonly [name: string]: string;
  readonly kind: "group";
  readonly id: string;
  readonly name: string;
}

const samples: readonly SampleName[] = ["taylor-green", "tangle", "hydrogen"];

/** The longest name, address or path. */
const maxLength = 4096;
const maxSampleSize = 4096;

/** Throws BadMessage. */
export function parseDataSource(value: Value | undefined): DataSource {
  const { kind, name, size, url, path, id } = (value ?? {}) as Readonly<Record<string, Value | undefined>>;
  if (kind === "sample" && isSample(name)) {
    const isSize =
      size === null || (Number.isInteger(size) && Number(size) > 1 && Number(size) <= maxSampleSize);
    if (isSize) return { kind, name, size: size as number | null };
  } else if (kind === "url" && isText(url)) return { kind, url };
  else if (kind === "path" && isText(path)) return { kind, path };
  else if (kind === "host" && isText(name)) return { kind, name };
  else if (kind === "group" && isText(id) && isText(name)) return { kind, id, name };
  throw badMessage("a job's source of data is none that is known");
}

const isText = (value: Value | undefined): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= maxLength;

const isSample = (name: Value | undefined): name is SampleName => samples.some((sample) => sample === name);
