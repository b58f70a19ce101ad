import { CrinkleError } from "../../../core/errors.ts";

/**
 * A port to the shared worker that introduces the tabs of this browser. Only pages can open it; they can
 * pass the port on to a worker (rendezvous.ts). Throws Refused if the browser lacks shared workers or
 * locks.
 */
export function openBroker(): MessagePort {
  if (typeof SharedWorker === "undefined" || !navigator.locks) {
    throw new CrinkleError({
      tag: "Refused",
      problem: "Tabs of this browser cannot reach each other directly: it lacks shared workers or locks.",
      remedy: "They can still join by the invitation link, as ranks on other machines do.",
    });
  }
  const broker = new SharedWorker(new URL("./broker.ts", import.meta.url), {
    type: "module",
    name: "crinkle ranks",
  });
  return broker.port;
}
