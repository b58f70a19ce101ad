import type { Layer } from "../../core/layers.ts";
import type { CameraState } from "../../core/view.ts";
import type { LatticeRequest, RawDescription, SampleName } from "../api.ts";
import type { Program } from "./programs.ts";

/** The source of a view's data; only the name of a file is known, not its folder. */
export type ViewSource =
  | { readonly kind: "sample"; readonly sample: SampleName; readonly size: number | undefined }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "file"; readonly name: string; readonly raw: RawDescription | undefined }
  /** What a group of ranks has that is or was in the page's room. */
  | { readonly kind: "group"; readonly id: string; readonly name: string }
  /** A file at an address or a path, which the ranks of the page's room have read, each its part. */
  | { readonly kind: "room"; readonly name: string; readonly raw?: RawDescription }
  /** A lattice, run anew with all that was changed by hand. */
  | LatticeRequest;

/** Everything that determines the picture. */
export interface SavedView {
  readonly source: ViewSource;
  /** The editor's text, if the user typed it. */
  readonly text: string | undefined;
  /** The computed texts, in the order of their computation. */
  readonly programs: readonly Program[];
  /** The layers, from bottom to top. */
  readonly layers: readonly Layer[];
  readonly selected: string | undefined;
  /** Undefined if the camera was never moved and nothing has been drawn. */
  readonly camera: CameraState | undefined;
}

export const format = "crinkle-view";
export const version = 1;
/** The key of a link's fragment: "#view=…". */
export const linkKey = "view";

/** The text of a `.crinkle.json` file. */
export function writeView(view: SavedView, indent?: number): string {
  return JSON.stringify({ format, version, ...view }, undefined, indent);
}
