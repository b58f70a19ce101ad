import type { Theme } from "../core/view.ts";

/** sRGB components in [0, 1] and opacity. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

export interface ThemeColors {
  readonly background: Rgba;
  /** Behind the scalar bar. */
  readonly veil: Rgba;
  readonly text: Rgba;
  readonly mutedText: Rgba;
  readonly edge: Rgba;
  /** Edges between two faces that look at the viewer, which cross the picture. */
  readonly frontEdge: Rgba;
  readonly grid: Rgba;
  /** x, y and z of the orientation mark. */
  readonly axes: readonly [Rgba, Rgba, Rgba];
}

function rgba(hex: number, alpha = 1): Rgba {
  return [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255, alpha];
}

/** Matched to the page's own colours. */
export const themeColors: Readonly<Record<Theme, ThemeColors>> = {
  light: {
    background: rgba(0xeef1f5),
    veil: rgba(0xffffff, 0.84),
    text: rgba(0x17212b),
    mutedText: rgba(0x526170),
    edge: rgba(0x8895a2),
    frontEdge: rgba(0x74828f, 0.35),
    grid: rgba(0x74828f, 0.2),
    axes: [rgba(0xc92a5b), rgba(0x2b8a3e), rgba(0x1864ab)],
  },
  dark: {
    background: rgba(0x10161d),
    veil: rgba(0x141b23, 0.82),
    text: rgba(0xe4ebf1),
    mutedText: rgba(0x9eacb9),
    edge: rgba(0x66737f),
    frontEdge: rgba(0x8895a2, 0.35),
    grid: rgba(0x8895a2, 0.2),
    axes: [rgba(0xff7a9c), rgba(0x69c77b), rgba(0x62a8ea)],
  },
};

/** The colour as CSS. */
export function cssColor([red, green, blue, alpha]: Rgba): string {
  const byte = (value: number) => Math.round(value * 255);
  return `rgb(${byte(red)} ${byte(green)} ${byte(blue)} / ${alpha})`;
}
