import { max } from "../../cluster/communicator/operators/elements.ts";
import type { Move } from "../../lang/expression/filters/filter.ts";
import type { NetworkNode } from "../../lang/expression/network/network.ts";
import type { Part } from "../../lang/expression/plan/reductions.ts";
import { areGhostsNoticed, chosenExchanges, exchangeable, exchangedName } from "./exchange-plan.ts";
import type { MovingField, Unmoved } from "./moved-values.ts";
import { slownessOf } from "./paces.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";

/** What a GPU takes of the time of one CPU thread, until it has been measured. */
const gpuSlowness = 1 / 50;

const inPlace = (from: 0 | 1 | 2) => ({ from, isFlipped: false, by: 0 });
const stays: Move = [inPlace(0), inPlace(1), inPlace(2)];

/**
 * The network with a field in place of each value that ranks are to exchange, which they have computed in their own blocks by then.
 * `compute` computes an output of a network in this rank's block. All ranks call it together, and choose alike: by what the slowest of
 * them has taken before, and by the communicator's rates.
 */
export async function withExchanges(
  run: RankedRun,
  { part, moving }: Unmoved,
  margin: number,
  compute: (part: Part, moving: readonly MovingField[]) => Promise<OwnPart>,
): Promise<Unmoved> {
  const { communicator, data } = run;
  const task = { part, margin, grid: data.grid, shares: data.shares };
  // One cell alone is not worth a message.
  if (communicator.size === 1 || data.divided || exchangeable(part).length === 0) return { part, moving };
  if (!areGhostsNoticed(task)) return { part, moving };
  const [slowness] = await communicator.allreduce(Float64Array.of(await ownSlowness(run)), max);
  const { latencyMs, bytesPerMs, costModel } = communicator.tuning;
  const { network, names } = part;
  const nodes: NetworkNode[] = [...network.nodes];
  const sent = [...moving];
  for (const id of chosenExchanges(task, { slowness, latencyMs, bytesPerMs, costModel })) {
    const name = exchangedName(id);
    const before = { ...network, nodes: [...nodes], outputs: [{ name, node: id }] };
    sent.push({ name, move: stays, own: await compute({ network: before, names: [name] }, sent) });
    const { type, span } = nodes[id];
    nodes[id] = { kind: "source", field: name, type, span };
  }
  return { part: { network: { ...network, nodes }, names }, moving: sent };
}

async function ownSlowness({ engine }: RankedRun): Promise<number> {
  const measured = slownessOf(engine.paces ?? []);
  if (measured !== undefined) return measured;
  const { gpu } = await engine.device();
  return gpu && !gpu.adapter.isSoftware ? gpuSlowness : 1 / (1 + (engine.workers?.size ?? 0));
}
