import { connectEngine } from "../engine/client.ts";
import { listenForInvitations, thisPage } from "./cluster/this-page.ts";
import { downloadBlob } from "./controls/download.ts";
import { createSession, type Session } from "./store/session.ts";
import { hearViewLinks, takeViewLink } from "./views/view-links.ts";

declare global {
  interface Window {
    /** The running session, for scripts and instruments: `await crinkle.engine.settled()`. */
    crinkle: Session;
  }
}

/** From this window height on, in CSS pixels, the panels show details above the surface's controls. */
const roomyHeight = 860;

function browserStorage(kind: "localStorage" | "sessionStorage"): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

// The engine's code and the first sample load while the widgets' code is still loading.
const session = createSession({
  engine: connectEngine((reason) => session.crashed(reason)),
  storage: browserStorage("localStorage"),
  tabStorage: browserStorage("sessionStorage"),
  saveFile: downloadBlob,
  place: thisPage(),
  isRoomy: window.innerHeight >= roomyHeight,
  viewLink: takeViewLink(),
});
window.crinkle = session;
void session.start();
listenForInvitations(session.cluster.invite);
hearViewLinks((hash) => void session.views.openLink(hash));
import("./mount.tsx").then(
  ({ mount }) => mount(session, document.getElementById("root")!),
  () => {
    document.getElementById("root")!.textContent =
      "The page could not be loaded completely. Check the connection, then reload it.";
  },
);
