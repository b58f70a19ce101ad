import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { ScreenPoint } from "../../core/projection.ts";
import { nextGesture } from "../layers/gestures.ts";
import type { Motion } from "../layers/view-drag.ts";
import styles from "./ShapeHandles.module.css";

interface Props {
  readonly label: string;
  readonly at: ScreenPoint;
  readonly kind: "move" | "turn";
  /** Called with each step of a drag and the drag's number; for keys without a number. */
  readonly onDrag: (motion: Motion, gesture: number | undefined) => void;
}

/** Pixels that an arrow key drags by. */
const keyPixels = 4;

const arrows: Readonly<Record<string, Motion>> = {
  ArrowLeft: { dx: -1, dy: 0 },
  ArrowRight: { dx: 1, dy: 0 },
  ArrowUp: { dx: 0, dy: -1 },
  ArrowDown: { dx: 0, dy: 1 },
};

/** A handle in the view that is dragged by pointer or by arrow keys. */
export function Handle({ label, at, kind, onDrag }: Props) {
  const drag = useRef<{ readonly gesture: number; x: number; y: number }>(undefined);
  const press = (event: PointerEvent<HTMLButtonElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { gesture: nextGesture(), x: event.clientX, y: event.clientY };
  };
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const former = drag.current;
    if (!former) return;
    onDrag({ dx: clientX - former.x, dy: clientY - former.y }, former.gesture);
    drag.current = { ...former, x: clientX, y: clientY };
  };
  const release = (): void => {
    drag.current = undefined;
  };
  const key = (event: KeyboardEvent): void => {
    const arrow = Object.hasOwn(arrows, event.key) && arrows[event.key];
    if (!arrow) return;
    event.preventDefault();
    const pixels = event.shiftKey ? 1 : keyPixels;
    onDrag({ dx: pixels * arrow.dx, dy: pixels * arrow.dy }, undefined);
  };
  return (
    <button
      type="button"
      className={styles.handle}
      data-kind={kind}
      aria-label={label}
      title={label}
      style={{ left: at.x, top: at.y }}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={key}
    />
  );
}
