import type { ColorSettings } from "../../engine/api.ts";

/** The part of `localStorage` that is needed; reading and writing may throw where storage is refused. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem">;

export interface Preferences {
  colors(): Partial<ColorSettings>;
  saveColors(colors: ColorSettings): void;
  /** The editor's text as it was left, where a person had typed it. */
  text(): string | undefined;
  saveText(text: string): void;
}

const colorsKey = "crinkle.colors";
const textKey = "crinkle.expression";

/** What is remembered from visit to visit. Without storage nothing is, and nothing fails. */
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
      // Private windows and full disks refuse; the page works without.
    }
  };
  return {
    colors: () => parseColors(read(colorsKey)),
    saveColors: ({ map, reversed, nanColor }) =>
      write(colorsKey, JSON.stringify({ map, reversed, nanColor })),
    text: () => read(textKey) || undefined,
    saveText: (text) => write(textKey, text),
  };
}

function parseColors(text: string | undefined): Partial<ColorSettings> {
  if (!text) return {};
  try {
    const { map, reversed, nanColor } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof map === "string" ? { map } : {}),
      ...(typeof reversed === "boolean" ? { reversed } : {}),
      ...(typeof nanColor === "string" ? { nanColor } : {}),
    };
  } catch {
    return {};
  }
}
