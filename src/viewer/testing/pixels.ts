export type Pixel = readonly [red: number, green: number, blue: number];

/** A decoded picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** sRGB bytes at a pixel counted from the upper left. */
  at(x: number, y: number): Pixel;
  /** How many pixels satisfy `test`, within a rectangle where one is given. */
  count(test: (pixel: Pixel) => boolean, x0?: number, y0?: number, x1?: number, y1?: number): number;
}

export async function decodePicture(blob: Blob): Promise<Pixels> {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no 2D context");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const at = (x: number, y: number): Pixel => {
    const i = 4 * (Math.floor(y) * width + Math.floor(x));
    return [data[i], data[i + 1], data[i + 2]];
  };
  const count: Pixels["count"] = (test, x0 = 0, y0 = 0, x1 = width, y1 = height) => {
    let sum = 0;
    for (let y = Math.floor(y0); y < y1; y++)
      for (let x = Math.floor(x0); x < x1; x++) if (test(at(x, y))) sum++;
    return sum;
  };
  return { width, height, at, count };
}

/** The largest difference of a component. */
export function pixelDistance(a: Pixel, b: Pixel): number {
  return Math.max(...a.map((component, i) => Math.abs(component - b[i])));
}

/** The largest difference of a component in linear light (sRGB's transfer function, IEC 61966-2-1). */
export function lightDistance(a: Pixel, b: Pixel): number {
  const linear = (byte: number) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return Math.max(...a.map((component, i) => Math.abs(linear(component) - linear(b[i]))));
}
