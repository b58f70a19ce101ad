import { type SavedView, writeView } from "../../engine/saved-view/view.ts";
import { loadCode } from "./load-code.ts";
import type { KeyValueStorage } from "./preferences.ts";

/**
 * The view that is remembered while a tab lives, including its reloads. Without storage nothing is remembered, and
 * nothing fails.
 */
export interface Visit {
  former(): Promise<SavedView | undefined>;
  remember(view: SavedView): void;
}

const key = "crinkle.view";

export function createVisit(storage: KeyValueStorage | undefined): Visit {
  return {
    async former() {
      try {
        const text = storage?.getItem(key);
        return text
          ? (await loadCode(() => import("../../engine/saved-view/read-view.ts"))).readView(text)
          : undefined;
      } catch {
        return undefined;
      }
    },
    remember(view) {
      try {
        storage?.setItem(key, writeView(view));
      } catch {
        // Storage is refused in private windows and on full disks; a reload then starts afresh.
      }
    },
  };
}
