import { expect, test } from "vitest";
import { layoutBox } from "./box-layout.ts";
import { eyePosition, fitBox, orbit, setProjectionMatrix, setViewMatrix } from "./camera.ts";
import { fitInsets } from "./free-area.ts";
import { multiply } from "./matrix.ts";
import { placeTriad } from "./triad.ts";

const lineHeight = 15;

test.each([
  [800, 600],
  [1000, 360],
  [372, 360],
  [390, 405],
])(
  "the mark stays in the corner of a view of %d × %d, and no label of a flat grid lies under it",
  (width, height) => {
    const size = { width, height };
    const half = [0.6, 0.37, 0] as const;
    const box = { half, bounds: [1e6, 1e6 + 39, -1e6, -1e6 + 24, 0, 0], units: "" } as const;
    for (let step = 0; step < 24; step++) {
      const fitted = fitBox(half, step === 0 ? "+z" : "default", size, fitInsets(size));
      const camera = orbit(fitted, 37 * step, 60 * Math.sin(step));
      const view = setViewMatrix(camera, new Float64Array(16));
      const projection = setProjectionMatrix(camera, size, new Float64Array(16));
      const matrix = multiply(projection, view, new Float64Array(16));
      const triad = placeTriad(view, height);
      expect(triad.x - 0.5 * triad.width).toBeCloseTo(8, 9);
      expect(triad.y + 0.5 * triad.height).toBeCloseTo(height - 8, 9);
      expect(Math.max(triad.width, triad.height)).toBeLessThan(90);
      const measure = (text: string) => 7 * text.length;
      const eye = eyePosition(camera);
      const { labels } = layoutBox(box, { matrix, eye, ...size, measure, lineHeight, taken: [triad] });
      for (const label of labels.filter(({ isTitle }) => !isTitle)) {
        const isApart =
          Math.abs(label.x - triad.x) >= 0.5 * (label.width + triad.width) ||
          Math.abs(label.y - triad.y) >= 0.5 * (label.height + triad.height);
        expect(isApart).toBe(true);
      }
    }
  },
);
