import { useEffect } from "react";
import { useSession } from "../session-context.tsx";

/** Ctrl+Z takes the last deed back, with Shift (or Ctrl+Y) it is done again; texts that are being written keep their own history. */
export function HistoryKeys() {
  const { travel } = useSession();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      void (key === "y" || event.shiftKey ? travel.redo() : travel.undo());
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [travel]);
  return null;
}

const untyped = new Set(["range", "checkbox", "radio", "button", "color", "file"]);

/** A field whose text has been told, `data-told`, has nothing of its own to take back. */
function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !untyped.has(target.type) && !("told" in target.dataset);
  return target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement);
}
