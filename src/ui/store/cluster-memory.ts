import { mostRanksChoices } from "./cluster-state.ts";
import type { KeyValueStorage } from "./preferences.ts";

/** The room that a tab was in. */
export interface FormerRoom {
  readonly link: string;
  readonly wasHost: boolean;
  /** Others were there too. */
  readonly hadOthers: boolean;
}

export interface ClusterMemory {
  name(): string;
  saveName(name: string): void;
  mostRanks(): number | undefined;
  saveMostRanks(most: number): void;
  /** The same in all tabs of this browser; another at each visit where nothing is kept. */
  browser(): string;
  /** The room that the tab was in before it was loaded again. */
  former(): FormerRoom | undefined;
  remember(room: FormerRoom | undefined): void;
}

const keys = {
  name: "crinkle.name",
  mostRanks: "crinkle.ranks",
  browser: "crinkle.browser",
  room: "crinkle.room",
} as const;

/** `storage` lasts from visit to visit, `tabStorage` over a tab's reloads. Without them nothing is kept, and nothing fails. */
export function createClusterMemory(
  storage: KeyValueStorage | undefined,
  tabStorage: KeyValueStorage | undefined,
): ClusterMemory {
  const read = (from: KeyValueStorage | undefined, key: string): string => {
    try {
      return from?.getItem(key) ?? "";
    } catch {
      return "";
    }
  };
  const write = (to: KeyValueStorage | undefined, key: string, value: string): void => {
    try {
      to?.setItem(key, value);
    } catch {
      // Private windows and full disks refuse; the page works without.
    }
  };
  return {
    name: () => read(storage, keys.name),
    saveName: (name) => write(storage, keys.name, name),
    mostRanks: () => mostRanksChoices.find((most) => String(most) === read(storage, keys.mostRanks)),
    saveMostRanks: (most) => write(storage, keys.mostRanks, String(most)),
    browser() {
      const known = read(storage, keys.browser);
      if (/^\w{32}$/.test(known)) return known;
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      write(storage, keys.browser, made);
      return made;
    },
    former: () => parse(read(tabStorage, keys.room)),
    remember: (room) => write(tabStorage, keys.room, room ? JSON.stringify(room) : ""),
  };
}

function parse(text: string): FormerRoom | undefined {
  try {
    const { link, wasHost, hadOthers } = Object(JSON.parse(text)) as Partial<Record<string, unknown>>;
    if (typeof link !== "string") return undefined;
    return { link, wasHost: wasHost === true, hadOthers: hadOthers === true };
  } catch {
    return undefined;
  }
}
