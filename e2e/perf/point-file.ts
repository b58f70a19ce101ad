import { open } from "node:fs/promises";

/** Writes n points of a thick spiral, with a number each, as a binary .ply, a few at a time. */
export async function writePoints(path: string, n: number): Promise<void> {
  const head = [
    "ply",
    "format binary_little_endian 1.0",
    `element vertex ${n}`,
    ...["x", "y", "z", "age"].map((name) => `property float ${name}`),
    "end_header\n",
  ];
  const file = await open(path, "w");
  try {
    await file.write(head.join("\n"));
    const most = 2 ** 16;
    for (let first = 0; first < n; first += most) {
      const count = Math.min(most, n - first);
      const words = new Float32Array(4 * count);
      for (let k = 0; k < count; k++) {
        const i = first + k;
        const share = i / n;
        const turn = 2.399963 * i;
        const around = 40 * share;
        const thick = 0.2 * Math.sqrt((i % 1009) / 1009);
        words[4 * k] = (1 + share) * Math.cos(around) + thick * Math.cos(turn);
        words[4 * k + 1] = (1 + share) * Math.sin(around) + thick * Math.sin(turn);
        words[4 * k + 2] = 4 * share + thick * Math.sin(3 * turn);
        words[4 * k + 3] = share;
      }
      await file.write(new Uint8Array(words.buffer));
    }
  } finally {
    await file.close();
  }
}
