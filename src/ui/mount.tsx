import "./app/styles.ts";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { createPictureCanvas } from "./stage/picture-canvas.ts";
import type { Session } from "./store/session.ts";

/** Shows a session's widgets in an element. */
export function mount(session: Session, element: HTMLElement): void {
  // What lives rests while nobody sees it. An engine that has died says so by itself.
  document.addEventListener("visibilitychange", () => {
    session.engine.setPageHidden(document.hidden).catch(() => {});
  });
  createRoot(element).render(<App session={session} canvas={createPictureCanvas(session)} />);
}
