import { onTestFinished } from "vitest";
import type { Viewport } from "../../core/view.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { type PaintSettings, Viewer, type ViewerOptions } from "../viewer.ts";
import { type TestMesh, uploadMesh } from "./meshes.ts";

/** Grey from black (low) to white (high), so that a colour identifies its scalar. */
export const greys = Uint8Array.from({ length: 768 }, (_, i) => Math.floor(i / 3));
export const nanColor = [255, 0, 255] as const;
export const solidColor = [48, 128, 208] as const;
export const lightBackground = [238, 241, 245] as const;
export const darkBackground = [16, 22, 29] as const;

export const greyPaint = {
  table: greys,
  range: [0, 1],
  nanColor: "#ff00ff",
  solid: "#3080d0",
} as const satisfies PaintSettings;

/** A viewer over the cube [−1, 1]³ with one surface that paints scalars from 0 to 1 in greys; disposed when the test ends. */
export async function makeViewer(
  viewport: Viewport = { width: 320, height: 240, pixelRatio: 1 },
  options: Partial<ViewerOptions> = {},
  hasCanvas = true,
) {
  const { device } = await testGpu();
  const canvas = new OffscreenCanvas(16, 16);
  const viewer = await Viewer.create(device, hasCanvas ? canvas : undefined, viewport, {
    theme: "light",
    isSoftware: true,
    ...options,
  });
  onTestFinished(() => viewer.dispose());
  viewer.setGrid([-1, 1, -1, 1, -1, 1]);
  const surface = viewer.addSurface();
  surface.setPaint(greyPaint);
  const show = (mesh: TestMesh) => surface.setBuffers(uploadMesh(device, mesh));
  return { viewer, surface, device, canvas, show };
}
