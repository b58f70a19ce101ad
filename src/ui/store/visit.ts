import type { KeyValueStorage } from "./preferences.ts";
import { readView, type SavedView, writeView } from "./saved/saved-view.ts";

/** What is remembered while a tab lives, over its reloads. Without storage nothing is, and nothing fails. */
export interface Visit {
  former(): SavedView | undefined;
  remember(view: SavedView): void;
}

const key = "crinkle.view";

export function createVisit(storage: KeyValueStorage | undefined): Visit {
  return {
    former() {
      try {
        const text = storage?.getItem(key);
        return text ? readView(text) : undefined;
      } catch {
        return undefined;
      }
    },
    remember(view) {
      try {
        storage?.setItem(key, writeView(view));
      } catch {
        // Private windows and full disks refuse; a reload then begins anew.
      }
    },
  };
}
