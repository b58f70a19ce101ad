import type { Layer } from "../../../core/layers.ts";
import type { CameraState } from "../../../core/view.ts";
import type { RawDescription, SampleName } from "../../../engine/api.ts";
import type { Program } from "../layers/programs.ts";

/** Where a view's data come from; of a file its name is known, not its place. */
export type ViewSource =
  | { readonly kind: "sample"; readonly sample: SampleName; readonly size: number | undefined }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "file"; readonly name: string; readonly raw: RawDescription | undefined };

/** All that makes a picture. */
export interface SavedView {
  readonly source: ViewSource;
  /** The editor's text, where a person typed it. */
  readonly text: string | undefined;
  /** In the order in which they were computed. */
  readonly programs: readonly Program[];
  /** From below to above. */
  readonly layers: readonly Layer[];
  readonly selected: string | undefined;
  /** Where the view was never moved and nothing has been drawn, the default. */
  readonly camera: CameraState | undefined;
}

export const format = "crinkle-view";
export const version = 1;
/** Of a link's fragment: "#view=…". */
export const linkKey = "view";

/** The text of a `.crinkle.json` file. */
export function writeView(view: SavedView, indent?: number): string {
  return JSON.stringify({ format, version, ...view }, undefined, indent);
}
