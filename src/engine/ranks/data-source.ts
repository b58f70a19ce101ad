import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { dtypes } from "../../core/dtype.ts";
import { type RawOptions, rawFault } from "../../data/raw/describe.ts";
import type { SampleName } from "../api.ts";

/**
 * Where a job's data come from, by name: a sample, which each rank makes or fetches itself; a file at an address or a path,
 * where ranks may read it, with its description if it holds bare numbers; what the host alone has, and sends to the others in parts; or what a group of ranks beside the
 * room has, which alone computes on it.
 */
export type DataSource =
  | { readonly kind: "sample"; readonly name: SampleName; readonly size: number | null }
  | { readonly kind: "url"; readonly url: string; readonly raw: RawParameters | null }
  | { readonly kind: "path"; readonly path: string; readonly raw: RawParameters | null }
  | { readonly kind: "host"; readonly name: string }
  | GroupSource;

/** A description of bare numbers, as a parameter of a job. */
type RawParameters = Pick<RawOptions, keyof RawOptions>;

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

export const nameOf = (source: DataSource): string =>
  source.kind === "url" ? source.url : source.kind === "path" ? source.path : source.name;

/** Throws BadMessage. */
export function parseDataSource(value: Value | undefined): DataSource {
  const { kind, name, size, url, path, raw, id } = (value ?? {}) as Readonly<
    Record<string, Value | undefined>
  >;
  if (kind === "sample" && isSample(name)) {
    const isSize =
      size === null || (Number.isInteger(size) && Number(size) > 1 && Number(size) <= maxSampleSize);
    if (isSize) return { kind, name, size: size as number | null };
  } else if (kind === "url" && isText(url)) return { kind, url, raw: parseRaw(raw) };
  else if (kind === "path" && isText(path)) return { kind, path, raw: parseRaw(raw) };
  else if (kind === "host" && isText(name)) return { kind, name };
  else if (kind === "group" && isText(id) && isText(name)) return { kind, id, name };
  throw badMessage("an unknown source of data");
}

/** Throws BadMessage. */
function parseRaw(value: Value | undefined): RawParameters | null {
  if (value === null) return null;
  const { dims, dtype, byteOrder, spacing, origin, components, headerBytes } = (value ?? {}) as Readonly<
    Record<string, Value | undefined>
  >;
  const options = {
    dims: triple(dims),
    dtype: dtypes.find((each) => each === dtype),
    byteOrder: (["little", "big"] as const).find((each) => each === byteOrder),
    spacing: triple(spacing),
    origin: triple(origin),
    components: Number(components),
    headerBytes: Number(headerBytes),
  };
  const { dtype: type, byteOrder: order } = options;
  const described = type && order && { ...options, dtype: type, byteOrder: order };
  if (described && rawFault(described, Number.POSITIVE_INFINITY) === undefined) return described;
  throw badMessage("a job's description of bare numbers is none");
}

/** Three numbers; not finite ones where the value is none of these. */
const triple = (value: Value | undefined): RawOptions["dims"] =>
  Array.isArray(value) && value.length === 3
    ? [Number(value[0]), Number(value[1]), Number(value[2])]
    : [Number.NaN, Number.NaN, Number.NaN];

const isText = (value: Value | undefined): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= maxLength;

const isSample = (name: Value | undefined): name is SampleName => samples.some((sample) => sample === name);
