import type { Topology } from "../../core/marching-cubes/topology.ts";
import { Toggle } from "../controls/Toggle.tsx";

interface Props {
  readonly topology: Topology | undefined;
  onChange(topology: Topology): void;
}

/** Chooses the topology of ambiguous cells. */
export function TrilinearTopology({ topology, onChange }: Props) {
  return (
    <Toggle
      label="Trilinear topology in ambiguous cells"
      title="Where a cell's corners allow several topologies, use that of the trilinear interpolant, as in MC33"
      checked={topology === "trilinear"}
      onChange={(isTrilinear) => onChange(isTrilinear ? "trilinear" : "table")}
    />
  );
}
