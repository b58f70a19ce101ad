import { formatBytes } from "../../core/format.ts";
import type { LayerRanks } from "../../engine/api.ts";
import { counted } from "../store/cluster-sentences.ts";

/** Who draws a layer that the ranks make, and why, with the bytes that decide. */
export function drawingSentence({ ranks, choice, pictureBytes }: LayerRanks): string {
  const { isByRanks, why, gatheredBytes, expectedBytes, without } = choice;
  const gathered = formatBytes(gatheredBytes);
  if (isByRanks) {
    const each = pictureBytes === undefined ? "" : `: ${formatBytes(pictureBytes)} a picture`;
    const ratherThan = `gathered, the surface would be ${gathered}`;
    return `${counted(ranks.length, "rank")} draw their parts${each}; ${ratherThan}.`;
  }
  const drawn = `This page gathers the surface, ${gathered}, and draws it`;
  if (why === "translucent")
    return `${drawn}, because pictures of translucent parts cannot be composited by depth.`;
  if (why === "no GPU") {
    const names = new Intl.ListFormat("en").format(without.map(String));
    const [noun, verb] = without.length === 1 ? ["rank", "has"] : ["ranks", "have"];
    return `${drawn}, because ${noun} ${names} ${verb} no GPU to draw with.`;
  }
  if (why === "bytes")
    return `${drawn}, because pictures would take more data: about ${formatBytes(expectedBytes)} until the next surface.`;
  return `${drawn}, as you have chosen.`;
}
