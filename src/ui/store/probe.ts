import type { ProbeReport } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import { findLayer } from "./layers/state.ts";
import type { LayerActions } from "./layers.ts";
import type { ProbeState, ViewPoint } from "./state.ts";

export interface ProbeActions {
  /** Call this when the pointer moves with no button held. What is under it is shown once it rests. */
  hover(place: ViewPoint): void;
  /** Call this when the pointer leaves or drags. */
  leave(): void;
  /** Keeps the values at a position on a card, if there is anything. */
  pick(place: ViewPoint): Promise<void>;
  dismissPick(): void;
  /** Shows the crosshair at a position, or moves it there. */
  moveCursor(place: ViewPoint): void;
  hideCursor(): void;
}

/** How long the pointer rests before the values under it are shown. */
const restMs = 90;

export function createProbeActions(
  { engine, store, announce, fail, send }: Context,
  { select }: Pick<LayerActions, "select">,
): ProbeActions {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  /** The latest click's answer; hovering waits for it. */
  let picking: Promise<ProbeReport | undefined> | undefined;

  const patch = (change: Partial<ProbeState>) =>
    store.setState(({ probe }) => ({ probe: { ...probe, ...change } }));

  function forget(): void {
    latest++;
    clearTimeout(timer);
    if (store.getState().probe.hover) patch({ hover: undefined });
  }

  async function look({ x, y }: ViewPoint): Promise<void> {
    const call = ++latest;
    await picking?.catch(() => {});
    if (call !== latest) return;
    const report = await engine.probe(x, y);
    if (call === latest) patch({ hover: report && { x, y, report } });
  }

  const draws = () => store.getState().layers.list.length > 0;

  function hover(place: ViewPoint): void {
    latest++;
    clearTimeout(timer);
    if (draws()) timer = setTimeout(() => send("layer", look(place)), restMs);
  }

  // The shown values belong to another picture: they are dropped, and the crosshair probes again.
  store.subscribe((latest, former) => {
    if (latest.camera === former.camera && latest.layers.list === former.layers.list) return;
    forget();
    if (latest.probe.cursor) hover(latest.probe.cursor);
  });

  return {
    hover,
    leave: forget,
    async pick({ x, y }) {
      if (!draws()) return;
      latest++;
      const { dataSet } = store.getState().data;
      const asked = engine.probe(x, y);
      picking = asked;
      try {
        const report = await asked;
        const { data, layers } = store.getState();
        const isGone = report && !findLayer(layers, report.layer);
        if (picking !== asked || data.dataSet !== dataSet || isGone) return;
        patch({ picked: report });
        if (report) select(report.layer);
        else if (store.getState().probe.cursor) announce("There is nothing under the crosshair.");
      } catch (error) {
        fail("layer", error);
      }
    },
    dismissPick: () => patch({ picked: undefined }),
    moveCursor(place) {
      patch({ cursor: place });
      hover(place);
    },
    hideCursor() {
      if (!store.getState().probe.cursor) return;
      patch({ cursor: undefined });
      forget();
    },
  };
}
