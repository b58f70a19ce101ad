import type { Triple } from "../../core/grid.ts";
import type { Layer } from "../../core/layers.ts";
import type { Session } from "../session.ts";
import type { RankedSurface } from "./surface-job.ts";

/** The ranks of a room, or of a group that has what is open, as the room's host draws with them. */
export interface RankTeam {
  /** Whether surfaces are coloured by the ranks that made them. */
  readonly tints: boolean;
  /** Whether ranks make such a layer. */
  makes(layer: Layer): boolean;
  /** The surface of a layer over what is open, without its clip. Throws what the job's parts throw. */
  surface(layer: Layer): Promise<RankedSurface>;
  /**
   * The components of fields at a position, in physical units, in the cell that holds `inside`. Throws what the job's parts
   * throw.
   */
  probe(
    session: Session,
    names: readonly string[],
    position: Triple,
    inside: Triple,
  ): Promise<readonly (readonly number[])[]>;
}
