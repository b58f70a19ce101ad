import { open } from "node:fs/promises";

/** Writes the tangle of `size` nodes a direction as a raw NRRD of floats, a plane at a time. */
export async function writeTangle(path: string, size: number): Promise<void> {
  const spacing = 6 / (size - 1);
  const part = Float64Array.from({ length: size }, (_, k) => {
    const x = -3 + k * spacing;
    return x ** 4 - 5 * x ** 2;
  });
  const file = await open(path, "w");
  try {
    const origin = "space dimension: 3\nspace origin: (-3,-3,-3)\n";
    const directions = `space directions: (${spacing},0,0) (0,${spacing},0) (0,0,${spacing})\n`;
    await file.write(
      `NRRD0004\ntype: float\ndimension: 3\n${origin}sizes: ${size} ${size} ${size}\n${directions}` +
        "endian: little\nencoding: raw\n\n",
    );
    const plane = new Float32Array(size * size);
    for (let k = 0; k < size; k++) {
      for (let j = 0; j < size; j++) {
        const row = part[k] + part[j] + 11.8;
        for (let i = 0; i < size; i++) plane[j * size + i] = 0.2 * (part[i] + row) + 0.5;
      }
      await file.write(new Uint8Array(plane.buffer));
    }
  } finally {
    await file.close();
  }
}
