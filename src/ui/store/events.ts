import type { EngineEvent } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import type { Jobs } from "./jobs.ts";
import type { LatticeActions } from "./lattice.ts";
import type { LayerActions } from "./layers.ts";

/** Applies an event of the engine to the state. */
export function hear(
  context: Context,
  {
    jobs,
    layers,
    lattice,
  }: { readonly jobs: Jobs; readonly layers: LayerActions; readonly lattice: LatticeActions },
  event: EngineEvent,
): void {
  switch (event.kind) {
    case "progress":
      jobs.progress(event);
      break;
    case "jobEnded":
      jobs.ended(event);
      break;
    case "layer":
      layers.drawn(event);
      break;
    case "layerRanks":
      layers.madeByRanks(event);
      break;
    case "layerFollowed":
      layers.followed(event);
      break;
    case "layerGone":
      layers.gone(event);
      break;
    case "memory":
      context.patch("measurements", { gpuBytes: event.current, gpuPeakBytes: event.peak });
      break;
    case "scalarBars":
      context.store.setState({ scalarBars: event.bars });
      break;
    case "lattice":
      lattice.heard(event.news);
      break;
    case "error":
      context.fail(event.error.tag === "DeviceLost" ? "device" : "layer", event.error);
      break;
    case "device":
      hearDevice(context, event);
  }
}

/** After a lost device, either all is restored on a new one, or the CPU continues where it can, or all is lost. */
function hearDevice(
  { store, announce, fail, succeed }: Context,
  { device, restored }: Extract<EngineEvent, { kind: "device" }>,
): void {
  const goesOn = restored || device.kind === "cpu";
  store.setState({ device: { phase: goesOn ? "ready" : "lost", summary: device } });
  if (restored) {
    announce(`The GPU was lost and is back: ${device.description}. Data, fields and layers are restored.`);
    succeed("device");
    return;
  }
  fail(
    "device",
    device.problem ?? {
      tag: "DeviceLost",
      problem: "The GPU was lost, and with it the picture.",
      remedy: "Reload the page to start again; what you typed is kept.",
    },
  );
}
