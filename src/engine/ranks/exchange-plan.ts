/** Whether ranks compute what lies around their blocks anew, or exchange it: the model by which they choose. */
import { type CostModel, stepMs } from "../../cluster/communicator/collectives/cost-model.ts";
import { type Box, boxCount } from "../../core/box.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import type { Grid } from "../../core/grid.ts";
import { nsOf, plainNs } from "../../lang/expression/execute/cpu/estimate.ts";
import type { Network, NetworkNode, NodeId } from "../../lang/expression/network/network.ts";
import { inputsFirst } from "../../lang/expression/network/walk.ts";
import { ghostLayers } from "../../lang/expression/plan/blocks.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import type { Part } from "../../lang/expression/plan/reductions.ts";
import { inputsOf, readsNeighbors } from "../../lang/expression/plan/stages.ts";
import { componentsOf } from "../../lang/expression/types.ts";
import { ownValues, valuesAround } from "./block-values.ts";

/** What the model is of. All ranks know the same. */
export interface ExchangeTask {
  readonly part: Part;
  /** Layers around each rank's block in which the part's outputs are wanted. */
  readonly margin: number;
  readonly grid: Grid;
  /** The cells of each rank. */
  readonly shares: readonly Box[];
}

export interface ExchangeRates {
  /** What the slowest rank takes of the time that one thread of a CPU is expected to take. */
  readonly slowness: number;
  readonly latencyMs: number;
  readonly bytesPerMs: number;
  /** Measured times of messages, where there are any. */
  readonly costModel?: CostModel;
}

/** Of each part beyond the last: what starts it, and what reads its results back from a device. */
const partMs = 1;
/** Exchanged values are f64 on a CPU. */
const bytesPerValue = 8;
/** The model is a rough one: what it expects to be done sooner by less than a tenth is left as it is. */
const worthwhile = 1.1;
/** More layers than these around the largest block, relative to it, are worth a thought. */
const noticedShare = 1.1;
/** Beyond so many values that could be exchanged, the first ones alone are thought of. */
const maxCandidates = 48;

/** Nanoseconds that a node of the grid is expected to take on one thread. */
export const nsOfPart = ({ network, names }: Part): number =>
  nsOfNodes(
    network.nodes,
    chosenOutputs(network, names).map(({ node }) => node),
  );

function nsOfNodes(nodes: readonly NetworkNode[], roots: readonly NodeId[]): number {
  const ns = (id: NodeId, each: number) => componentsOf(nodes[id].type.value) * each;
  const computed = inputsFirst(roots, (id) => inputsOf(nodes[id])).map((id) => ns(id, nsOf(nodes[id])));
  return [...computed, ...roots.map((id) => ns(id, plainNs))].reduce((sum, each) => sum + each, 0);
}

/**
 * What may be exchanged, in the order of the network: values of a stencil that reads along all axes, or computed of such ones and read by
 * another stencil. The passes of a smoothing read along one axis each and stay together.
 */
export function exchangeable({ network, names }: Part): readonly NodeId[] {
  const { nodes } = network;
  const roots = chosenOutputs(network, names).map(({ node }) => node);
  const order = inputsFirst(roots, (id) => inputsOf(nodes[id])).sort((a, b) => a - b);
  const isSmeared = new Set<NodeId>();
  const readAround = new Set<NodeId>();
  for (const id of order) {
    const node = nodes[id];
    if (node.kind === "recenter" || (node.kind === "stencil" && node.overload.radius > 0)) isSmeared.add(id);
    if (node.kind === "element" && node.inputs.some((input) => isSmeared.has(input))) isSmeared.add(id);
    if (readsNeighbors(node)) readAround.add(node.inputs[0]);
  }
  return order.filter((id) => isSmeared.has(id) && readAround.has(id)).slice(0, maxCandidates);
}

/** Whether layers around blocks are so many that ranks could be done sooner by exchanging some. */
export function areGhostsNoticed({ part, margin, grid, shares }: ExchangeTask): boolean {
  const ghosts = ghostLayers(part.network, chosenOutputs(part.network, part.names));
  return elementsOf(grid, shares, ghosts + margin) > noticedShare * elementsOf(grid, shares, margin);
}

/** The nodes of the largest block with so many layers around it. */
const elementsOf = (grid: Grid, shares: readonly Box[], layers: number): number =>
  Math.max(...shares.map((cells) => (isEmptyBox(cells) ? 0 : boxCount(valuesAround(grid, cells, layers)))));

/**
 * The values that ranks exchange, in the order of the network: those by which they are expected to be done soonest, chosen one after the
 * other as long as each saves a tenth. None where computing all layers anew is sooner.
 */
export function chosenExchanges(task: ExchangeTask, rates: ExchangeRates): readonly NodeId[] {
  const candidates = exchangeable(task.part);
  let chosen: readonly NodeId[] = [];
  let ms = expectedMs(task, rates, chosen);
  for (;;) {
    const choices = candidates
      .filter((id) => !chosen.includes(id))
      .map((id) => {
        const exchanged = [...chosen, id].sort((a, b) => a - b);
        return { exchanged, ms: expectedMs(task, rates, exchanged) };
      });
    const [best] = choices.sort((a, b) => a.ms - b.ms);
    if (!best || worthwhile * best.ms > ms) return chosen;
    chosen = best.exchanged;
    ms = best.ms;
  }
}

/** Milliseconds until all ranks are done, of which each waits for the slowest. */
export function expectedMs(
  { part, margin, grid, shares }: ExchangeTask,
  rates: ExchangeRates,
  exchanged: readonly NodeId[],
): number {
  const { network, names } = part;
  const nodes: NetworkNode[] = [...network.nodes];
  const isExchanged = (id: NodeId) => exchanged.includes(id) && nodes[id].kind === "source";
  const msOf = (roots: readonly NodeId[], more: number): number => {
    const outputs = roots.map((node, k) => ({ name: `${k}`, node }));
    const now: Network = { ...network, nodes, outputs };
    const ghosts = ghostLayers(now, outputs) + more;
    const received = inputsFirst(roots, (id) => inputsOf(nodes[id])).filter(isExchanged);
    const values = received.reduce((sum, id) => sum + componentsOf(nodes[id].type.value), 0);
    const around = Math.max(
      ...shares.map((cells) =>
        isEmptyBox(cells)
          ? 0
          : boxCount(valuesAround(grid, cells, ghosts)) - boxCount(ownValues(grid, cells, "node")),
      ),
    );
    const computing = (elementsOf(grid, shares, ghosts) * nsOfNodes(nodes, roots) * rates.slowness) / 1e6;
    return (
      computing +
      (received.length === 0 ? 0 : messageMs(rates, shares.length, bytesPerValue * values * around))
    );
  };
  let ms = 0;
  for (const id of exchanged) {
    ms += partMs + msOf([id], 0);
    const { type, span } = nodes[id];
    nodes[id] = { kind: "source", field: exchangedName(id), type, span };
  }
  return (
    ms +
    msOf(
      chosenOutputs(network, names).map(({ node }) => node),
      margin,
    )
  );
}

/** The field that takes a node's place once it is exchanged. */
export const exchangedName = (id: NodeId): string => `exchanged ${id}`;

const messageMs = (
  { latencyMs, bytesPerMs, costModel }: ExchangeRates,
  ranks: number,
  bytes: number,
): number => (costModel ? stepMs(costModel, ranks, bytes, 0) : latencyMs + bytes / bytesPerMs);
