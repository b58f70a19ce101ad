import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { ghostLayers } from "../../lang/expression/plan/blocks.ts";
import type { WantedBlocks } from "./blocks.ts";
import type { Division } from "./ranked-data.ts";

/** The division of a grid for texts whose values are needed in each block, and in so many layers around it. */
export const divisionFor = (
  blocks: WantedBlocks,
  texts: readonly (string | null)[],
  margin: number,
): Division => ({
  blocks,
  async ghosts(fields) {
    let layers = 0;
    for (const text of texts) {
      if (text === null) continue;
      const network = await compileOnDemand(text, fields);
      layers = Math.max(layers, ghostLayers(network, network.outputs));
    }
    return layers + margin;
  },
});
