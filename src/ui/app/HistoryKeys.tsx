import { useEffect } from "react";
import { useSession } from "../session-context.tsx";

/**
 * Ctrl+Z undoes the last action; Shift+Ctrl+Z or Ctrl+Y redoes it. Texts that are being edited keep their own history.
 */
export function HistoryKeys() {
  const { history } = useSession();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      void (key === "y" || event.shiftKey ? history.redo() : history.undo());
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [history]);
  return null;
}

const untyped = new Set(["range", "checkbox", "radio", "button", "color", "file"]);

/** An input whose text is committed (`data-committed`) has no edits of its own to undo. */
function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement)
    return !untyped.has(target.type) && !("committed" in target.dataset);
  return target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement);
}
