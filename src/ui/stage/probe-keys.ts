import type { ProbeActions } from "../store/probe.ts";
import type { ViewPoint } from "../store/state.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Pixels that an arrow key moves the crosshair by. */
const arrowPixels = 10;

const arrows: Readonly<Record<string, ViewPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * The effect of a key on the crosshair: it moves to a position, hides, or picks. P shows it in the middle of the view.
 * Undefined for other keys.
 */
export function probeKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress,
  cursor: ViewPoint | undefined,
  { width, height }: Size,
): ViewPoint | "hide" | "pick" | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key.toLowerCase() === "p")
    return cursor ? "hide" : { x: Math.round(width / 2), y: Math.round(height / 2) };
  if (!cursor) return undefined;
  if (key === "Escape") return "hide";
  if (key === "Enter") return "pick";
  if (!Object.hasOwn(arrows, key)) return undefined;
  const { x, y } = arrows[key];
  const pixels = shiftKey ? 1 : arrowPixels;
  return {
    x: Math.min(width - 1, Math.max(0, cursor.x + pixels * x)),
    y: Math.min(height - 1, Math.max(0, cursor.y + pixels * y)),
  };
}

/** Listens before the camera's key handler, which also uses the arrow keys. */
export function attachProbeKeys(
  element: HTMLElement,
  probe: ProbeActions,
  cursor: () => ViewPoint | undefined,
): void {
  element.addEventListener("keydown", (event) => {
    const size = { width: element.clientWidth, height: element.clientHeight };
    const action = probeKey(event, cursor(), size);
    if (action === undefined) return;
    event.preventDefault();
    const place = cursor();
    if (action === "hide") probe.hideCursor();
    else if (action !== "pick") probe.moveCursor(action);
    else if (place) void probe.pick(place);
  });
}
