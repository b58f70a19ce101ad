import type { LayerPaint } from "../../core/layers.ts";
import type { RunRequest } from "../../engine/api.ts";

/** The part of `localStorage` that is needed; reading and writing may throw if storage is refused. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem">;

/** The colour settings that depend on the user, not on the data. */
export type Colors = Pick<LayerPaint, "map" | "reversed" | "nanColor">;

export interface Preferences {
  colors(): Partial<Colors>;
  saveColors(colors: Colors): void;
  /** The editor's text as the user left it. */
  text(): string | undefined;
  saveText(text: string): void;
  /** The chosen strategy and memory limit. */
  request(): RunRequest | undefined;
  saveRequest(request: RunRequest): void;
}

const colorsKey = "crinkle.colors";
const textKey = "crinkle.expression";
const requestKey = "crinkle.strategy";

/** Settings that are remembered between visits. Without storage nothing is remembered, and nothing fails. */
export function createPreferences(storage: KeyValueStorage | undefined): Preferences {
  const read = (key: string): string | undefined => {
    try {
      return storage?.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  };
  const write = (key: string, value: string): void => {
    try {
      storage?.setItem(key, value);
    } catch {
      // Storage is refused in private windows and on full disks; the page works without it.
    }
  };
  return {
    colors: () => parseColors(read(colorsKey)),
    saveColors: ({ map, reversed, nanColor }) =>
      write(colorsKey, JSON.stringify({ map, reversed, nanColor })),
    text: () => read(textKey) || undefined,
    saveText: (text) => write(textKey, text),
    request: () => parseRequest(read(requestKey)),
    saveRequest: (request) => write(requestKey, JSON.stringify(request)),
  };
}

function parseColors(text: string | undefined): Partial<Colors> {
  const { map, reversed, nanColor } = parseEntries(text);
  return {
    ...(typeof map === "string" ? { map } : {}),
    ...(typeof reversed === "boolean" ? { reversed } : {}),
    ...(typeof nanColor === "string" ? { nanColor } : {}),
  };
}

const strategies = ["auto", "fusion", "staged", "roundtrip", "streamed"] as const;

function parseRequest(text: string | undefined): RunRequest | undefined {
  const { strategy, budget } = parseEntries(text);
  const known = strategies.find((name) => name === strategy);
  if (known === undefined) return undefined;
  return { strategy: known, ...(typeof budget === "number" && budget > 0 ? { budget } : {}) };
}

/** The entries of an object in JSON; none if the text is damaged. */
function parseEntries(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}
