/** Values that a text moves to other places of the grid, over ranks: each has computed its own, and gets those of its block. */
import { emptyBox, isEmptyBox } from "../../core/box-values.ts";
import type { Field } from "../../core/field.ts";
import { valueDims } from "../../core/grid.ts";
import type { Operation } from "../../core/hypercube/operations.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { rearrangedOnRanks } from "../../distributed/rearranged.ts";
import type { Move } from "../../lang/expression/filters/filter.ts";
import type { Network, NetworkNode } from "../../lang/expression/network/network.ts";
import { inputsFirst } from "../../lang/expression/network/walk.ts";
import { checkMovedAxes } from "../../lang/expression/plan/moved-axes.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import type { Part } from "../../lang/expression/plan/reductions.ts";
import { inputsOf } from "../../lang/expression/plan/stages.ts";
import { ownValues, valuesAround, valuesBetween } from "./block-values.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";

/** What moves, by the name under which it is a field of the network that is left. */
export interface MovingField {
  readonly name: string;
  readonly move: Move;
  /** This rank's own values before they move. */
  readonly own: OwnPart;
}

export interface Unmoved {
  readonly part: Part;
  readonly moving: readonly MovingField[];
}

/** How a rank comes by its own values of what moves. */
export interface OwnValuesOf {
  stored(name: string): Promise<OwnPart>;
  computed(part: Part, moving: readonly MovingField[]): Promise<OwnPart>;
}

/**
 * The network with a field in place of each move, and what these fields are. What moves is stored or computed first, in the order of the
 * network, on all ranks together. Throws TypeError where axes of different lengths change places.
 */
export async function withoutMoves({ data }: RankedRun, part: Part, own: OwnValuesOf): Promise<Unmoved> {
  const { network, names } = part;
  const ids = chosenOutputs(network, names).map(({ node }) => node);
  const needed = inputsFirst(ids, (id) => inputsOf(network.nodes[id])).sort((a, b) => a - b);
  const nodes: NetworkNode[] = [...network.nodes];
  const moving: MovingField[] = [];
  for (const id of needed) {
    const node = nodes[id];
    if (node.kind !== "stencil" || !node.filter.move) continue;
    if (moving.length === 0) checkMovedAxes(network, data.grid);
    const [input] = node.inputs;
    const from = nodes[input];
    const name = `moved ${id}`;
    const isStored = from.kind === "source" && !moving.some((field) => field.name === from.field);
    const computed = (): Promise<OwnPart> => {
      const before: Network = { ...network, nodes: [...nodes], outputs: [{ name, node: input }] };
      return own.computed({ network: before, names: [name] }, moving);
    };
    const values = isStored ? await own.stored(from.field) : await computed();
    moving.push({ name, move: node.filter.move, own: values });
    const { type, span } = node;
    nodes[id] = {
      kind: "source",
      field: name,
      type,
      span,
      ...(isStored ? { component: from.component } : {}),
    };
  }
  return { part: moving.length === 0 ? part : { network: { ...network, nodes }, names }, moving };
}

/** A moved field on this rank's block and so many layers around it, of which other ranks send what they have. */
export async function movedAround(
  { communicator, data }: RankedRun,
  { name, move, own }: MovingField,
  ghosts: number,
): Promise<Field> {
  const { grid, shares, divided = data } = data;
  const { centering, components, data: values } = own.field;
  const around = (cells: (typeof shares)[number]) =>
    isEmptyBox(cells) ? emptyBox : valuesBetween(valuesAround(grid, cells, ghosts), centering);
  const moved = await rearrangedOnRanks(
    communicator,
    mapOf(valueDims(grid, centering), operationsOf(move)),
    {
      sources: divided.shares.map((cells) => ownValues(grid, cells, centering)),
      targets: shares.map(around),
    },
    values,
    components,
  );
  return { ...own.field, name, data: moved as Field["data"] };
}

/** A move as operations on layouts: axes change places, then some are flipped, then all are shifted. */
function operationsOf(move: Move): Operation[] {
  const axes = [0, 1, 2].map((axis) => move.findIndex(({ from }) => from === axis));
  const of = axes.map((axis) => move[axis]);
  return [
    { kind: "permute", axes },
    { kind: "flip", axes: [0, 1, 2].filter((axis) => of[axis].isFlipped) },
    // −p + by is what a shift by s makes of a flip, −1 − (p − s).
    ...of.map(
      ({ isFlipped, by }, axis): Operation => ({ kind: "shift", axis, by: isFlipped ? by + 1 : -by }),
    ),
  ];
}
