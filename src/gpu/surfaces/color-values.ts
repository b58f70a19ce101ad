import type { PooledBuffer } from "../device/pool.ts";
import type { Fragment } from "../shader/fragment.ts";
import type { SurfaceBase } from "./surface-source.ts";

/** How kernels see a colour field: `parameters` has these members. */
export interface ColorParameters {
  /** First word of the colour's component. */
  color_plane: number;
  /** 0: every colour is 0. */
  has_color: number;
}

export function colorParameters({ color, colorComponent = 0 }: SurfaceBase): ColorParameters {
  return { color_plane: color ? colorComponent * color.count : 0, has_color: color ? 1 : 0 };
}

/** What to bind as `color`: anything where there is none. */
export function colorBuffer({ color, tables }: SurfaceBase): PooledBuffer {
  return (color ?? tables).buffer;
}

/** Needs a uniform `parameters` with the members above and an array `color`. */
export const colorValues: Fragment = {
  name: "color values",
  code: /* wgsl */ `
fn color_at(point: u32) -> f32 {
  if (parameters.has_color == 0u) {
    return 0.0;
  }
  return color[parameters.color_plane + point];
}

/** Either end exactly where t is 0 or 1, whatever the other is. */
fn color_between(low: u32, high: u32, t: f32) -> f32 {
  let c0 = color_at(low);
  let c1 = color_at(high);
  return select(select(c0 + t * (c1 - c0), c0, t == 0.0), c1, t == 1.0);
}
`,
};
