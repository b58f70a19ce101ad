import type { RoomLimits } from "../../engine/cluster/api.ts";
import { limitChoices } from "./cluster-state.ts";
import type { KeyValueStorage } from "./preferences.ts";

/** The room that a tab was in. */
export interface PreviousRoom {
  readonly link: string;
  readonly wasHost: boolean;
  /** Whether others were there, too. */
  readonly hadOthers: boolean;
}

export interface ClusterMemory {
  name(): string;
  saveName(name: string): void;
  /** The limits that the person has chosen. */
  limits(): Partial<RoomLimits>;
  saveLimits(limits: RoomLimits): void;
  /** The same in all tabs of this browser; a new one on each visit if nothing is stored. */
  browser(): string;
  /** The room that the tab was in before it was reloaded. */
  former(): PreviousRoom | undefined;
  remember(room: PreviousRoom | undefined): void;
}

const keys = {
  name: "crinkle.name",
  limits: "crinkle.limits",
  browser: "crinkle.browser",
  room: "crinkle.room",
} as const;

/**
 * `storage` lasts between visits, `tabStorage` across a tab's reloads. Without them nothing is stored, and
 * nothing fails.
 */
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
    limits: () => parseLimits(read(storage, keys.limits)),
    saveLimits: (limits) => write(storage, keys.limits, JSON.stringify(limits)),
    browser() {
      const known = read(storage, keys.browser);
      if (/^\w{32}$/.test(known)) return known;
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      write(storage, keys.browser, made);
      return made;
    },
    former: () => parseRoom(read(tabStorage, keys.room)),
    remember: (room) => write(tabStorage, keys.room, room ? JSON.stringify(room) : ""),
  };
}

function parseRoom(text: string): PreviousRoom | undefined {
  const { link, wasHost, hadOthers } = parse(text);
  if (typeof link !== "string") return undefined;
  return { link, wasHost: wasHost === true, hadOthers: hadOthers === true };
}

function parseLimits(text: string): Partial<RoomLimits> {
  const given = parse(text);
  const chosen = Object.entries(limitChoices).filter(([name, choices]) =>
    choices.includes(given[name] as number),
  );
  return Object.fromEntries(chosen.map(([name]) => [name, given[name]]));
}

/** The fields of a stored JSON object; none if the text is something else. */
function parse(text: string): Partial<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
