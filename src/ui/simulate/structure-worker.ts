/** Takes structure factors apart from the page and the engine, which have pictures to make. */
import { structureFactor } from "../../core/lattice/structure-factor.ts";
import type { StructureRequest } from "./structure-client.ts";

addEventListener("message", ({ data }: MessageEvent<StructureRequest>) => {
  const { lengths, values, components } = data;
  postMessage(structureFactor(lengths, values, components));
});
