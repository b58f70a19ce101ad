import "./app/styles.ts";
import { createRoot } from "react-dom/client";
import { connectEngine } from "../engine/client.ts";
import { App } from "./app/App.tsx";
import { downloadBlob } from "./controls/download.ts";
import { createPictureCanvas } from "./stage/picture-canvas.ts";
import { createSession, type Session } from "./store/session.ts";

declare global {
  interface Window {
    /** The running session, for scripts and instruments: `await crinkle.engine.settled()`. */
    crinkle: Session;
  }
}

function browserStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

const session = createSession({
  engine: connectEngine((reason) => session.crashed(reason)),
  storage: browserStorage(),
  saveFile: downloadBlob,
});
window.crinkle = session;
const canvas = createPictureCanvas(session.view);
void session.start();
createRoot(document.getElementById("root")!).render(<App session={session} canvas={canvas} />);
