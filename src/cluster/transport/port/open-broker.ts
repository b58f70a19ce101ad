import { CrinkleError } from "../../../core/errors.ts";

/**
 * A port to the shared worker that introduces the tabs of this browser. Only pages can open it, and they can hand the
 * port to a worker (meet.ts). Throws Refused where the browser has no shared workers or no locks.
 */
export function openBroker(): MessagePort {
  if (typeof SharedWorker === "undefined" || !navigator.locks) {
    throw new CrinkleError({
      tag: "Refused",
      problem:
        "In this browser, tabs cannot reach each other directly: it has no shared workers or no locks.",
      remedy: "They can join as ranks of other machines do, by the invitation link.",
    });
  }
  const broker = new SharedWorker(new URL("./broker.ts", import.meta.url), {
    type: "module",
    name: "crinkle ranks",
  });
  return broker.port;
}
