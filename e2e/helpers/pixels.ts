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

/** Share of pixels of two PNGs whose colours differ by more than a little in any channel; 1 where sizes differ. */
export function differingPixels(page: Page, a: Buffer, b: Buffer): Promise<number> {
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
      if (first.width !== second.width || first.height !== second.height) return 1;
      let differing = 0;
      for (let i = 0; i < first.data.length; i += 4) {
        const off = [0, 1, 2].map((c) => Math.abs(first.data[i + c] - second.data[i + c]));
        if (Math.max(...off) > 12) differing++;
      }
      return differing / (first.width * first.height);
    },
    [a.toString("base64"), b.toString("base64")],
  );
}
