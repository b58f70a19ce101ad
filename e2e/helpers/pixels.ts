import type { Page } from "@playwright/test";

export interface PictureMeasures {
  readonly width: number;
  readonly height: number;
  /** Distinct colours, at 4 bits a channel. */
  readonly colors: number;
  /** Share of pixels that differ from the most frequent colour by more than a little. */
  readonly drawn: number;
  /** The most frequent colour: the background. */
  readonly background: readonly [number, number, number];
}

/** Measures a PNG; the browser decodes it. */
export function measurePng(page: Page, png: Buffer): Promise<PictureMeasures> {
  return page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    if (!context) throw new Error("no 2d context");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const counts = new Map<number, number>();
    for (let i = 0; i < data.length; i += 4) {
      const key = ((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const [frequent] = [...counts].sort((a, b) => b[1] - a[1])[0];
    const background = [(frequent >> 8) & 15, (frequent >> 4) & 15, frequent & 15].map((c) => c * 16 + 8);
    let drawn = 0;
    for (let i = 0; i < data.length; i += 4) {
      const off = Math.max(...background.map((c, d) => Math.abs(c - data[i + d])));
      if (off > 24) drawn++;
    }
    return {
      width,
      height,
      colors: counts.size,
      drawn: drawn / (width * height),
      background: background as unknown as readonly [number, number, number],
    };
  }, png.toString("base64"));
}

export interface Difference {
  /** Share of pixels that differ by more than a little (12 of 255) in any channel. */
  readonly share: number;
  /** Side of the largest square of pixels that all do: a few where only lines and letters differ. */
  readonly side: number;
}

/** How two PNGs differ; wholly if their sizes do. */
export function comparePictures(page: Page, a: Buffer, b: Buffer): Promise<Difference> {
  return page.evaluate(
    async (pictures) => {
      const [first, second] = await Promise.all(
        pictures.map(async (base64) => {
          const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
          const bitmap = await createImageBitmap(blob);
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          if (!context) throw new Error("no 2d context");
          context.drawImage(bitmap, 0, 0);
          return context.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      const { width, height } = first;
      if (width !== second.width || height !== second.height)
        return { share: 1, side: Math.min(width, height) };
      const [data, other] = [first.data, second.data];
      let differing = 0;
      let side = 0;
      // Of each pixel, the side of the largest square of differing pixels whose lower right corner it is.
      const sides = new Uint16Array(width * height);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const pixel = y * width + x;
          const off = [0, 1, 2].map((c) => Math.abs(data[4 * pixel + c] - other[4 * pixel + c]));
          if (Math.max(...off) <= 12) continue;
          differing++;
          const before =
            x > 0 && y > 0 ? Math.min(sides[pixel - 1], sides[pixel - width], sides[pixel - width - 1]) : 0;
          sides[pixel] = before + 1;
          side = Math.max(side, before + 1);
        }
      }
      return { share: differing / (width * height), side };
    },
    [a.toString("base64"), b.toString("base64")],
  );
}

/** Share of pixels of two PNGs whose colours differ by more than a little in any channel; 1 where sizes differ. */
export async function differingPixels(page: Page, a: Buffer, b: Buffer): Promise<number> {
  return (await comparePictures(page, a, b)).share;
}

/** The colours of `count` pixels of a row from (x, y) on, as “r,g,b”. */
export function rowColors(
  page: Page,
  png: Buffer,
  [x, y]: readonly [number, number],
  count: number,
): Promise<string[]> {
  return page.evaluate(
    async ({ encoded, x, y, count }) => {
      const blob = await (await fetch(`data:image/png;base64,${encoded}`)).blob();
      const bitmap = await createImageBitmap(blob);
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      if (!context) throw new Error("no 2d context");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(x, y, count, 1);
      return Array.from({ length: count }, (_, k) => data.slice(4 * k, 4 * k + 3).join());
    },
    { encoded: png.toString("base64"), x, y, count },
  );
}
