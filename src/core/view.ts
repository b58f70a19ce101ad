/** How the page and the viewer speak of what is on the screen. */
export type Theme = "light" | "dark";

export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

export type ViewDirection = "default" | "+x" | "-x" | "+y" | "-y" | "+z" | "-z";

/** What the page draws beside the picture; `colors` are CSS colours from low to high. */
export interface ScalarBar {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly colors: readonly string[];
  readonly nanColor: string;
  /** Whether the surface holds NaN colours, so that the legend shows them. */
  readonly hasNaN: boolean;
}
