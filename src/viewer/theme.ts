import type { Theme } from "../core/view.ts";

/** sRGB components in [0, 1] and opacity. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

export interface ThemeColors {
  readonly background: Rgba;
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

export const themeColors: Readonly<Record<Theme, ThemeColors>> = {
  light: {
    background: rgba(0xf8f9fa),
    text: rgba(0x343a40),
    mutedText: rgba(0x5c636a),
    edge: rgba(0x868e96),
    frontEdge: rgba(0x868e96, 0.35),
    grid: rgba(0x868e96, 0.22),
    axes: [rgba(0xd6336c), rgba(0x2b8a3e), rgba(0x1c6fc2)],
  },
  dark: {
    background: rgba(0x101113),
    text: rgba(0xdee2e6),
    mutedText: rgba(0xa6abb1),
    edge: rgba(0x6c737a),
    frontEdge: rgba(0x868e96, 0.35),
    grid: rgba(0x868e96, 0.22),
    axes: [rgba(0xff7a9c), rgba(0x69c77b), rgba(0x62a8ea)],
  },
};

/** As CSS. */
export function cssColor([red, green, blue, alpha]: Rgba): string {
  const byte = (value: number) => Math.round(value * 255);
  return `rgb(${byte(red)} ${byte(green)} ${byte(blue)} / ${alpha})`;
}
