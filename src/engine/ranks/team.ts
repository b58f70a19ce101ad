import type { Triple } from "../../core/grid.ts";
import type { Layer } from "../../core/layers.ts";
import type { Session } from "../session.ts";
import type { DrawnByRanks } from "./draw-job.ts";
import type { DrawingStep } from "./drawing-step.ts";
import type { PictureView } from "./part-painter.ts";

/** What a layer needs of the ranks: their surface, or a picture of it where they choose to draw it. */
export interface WantedOfRanks {
  /** The page's view; undefined where the surface itself is wanted, whoever is to draw it. */
  readonly view: PictureView | undefined;
  /** A smaller picture, because another one is about to follow. */
  readonly isMoving?: boolean;
  /** "surface" where it is left out. */
  readonly asks?: DrawingStep;
}

/** The ranks of a room, or of a group that has what is open, as the room's host draws with them. */
export interface RankTeam {
  /** Whether surfaces are coloured by the ranks that made them. */
  readonly tints: boolean;
  /** Whether ranks make such a layer. */
  makes(layer: Layer): boolean;
  /** Shows a layer over what is open. Throws what the job's parts throw. */
  show(layer: Layer, wanted: WantedOfRanks): Promise<DrawnByRanks>;
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
