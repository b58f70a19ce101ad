import { fitsF32 } from "../../../../core/dtype.ts";
import type { DataSet } from "../../../../core/field.ts";
import { gridBounds } from "../../../../core/grid.ts";
import { levelOf } from "../../../../core/levels.ts";
import type { Network } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import { inputsOf } from "../../plan/stages.ts";

/** Constants from here on are looked at where all fields fit f32. */
const largeConstant = 2 ** 12;

/** Whether anything that outputs come from may have more digits than f32: whether it is worth a closer look. */
export function mayLoseDigits(
  network: Network,
  names: readonly string[],
  { grid, fields }: Pick<DataSet, "grid" | "fields">,
): boolean {
  const bounds = gridBounds(grid);
  const roots = chosenOutputs(network, names).map(({ node }) => node);
  return inputsFirst(roots, (id) => inputsOf(network.nodes[id])).some((id) => {
    const node = network.nodes[id];
    if (node.kind === "source")
      return fields.some(({ name, dtype }) => name === node.field && !fitsF32(dtype));
    if (node.kind === "mesh") return [0, 2, 4].some((at) => levelOf([bounds[at], bounds[at + 1]]) !== 0);
    return node.kind === "constant" && node.values.some((value) => Math.abs(value) >= largeConstant);
  });
}
