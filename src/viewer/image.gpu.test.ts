import { expect, test } from "vitest";
import { greyPaint, lightBackground, makeViewer, nanColor } from "./testing/make-viewer.ts";
import { decodePicture, pixelDistance } from "./testing/pixels.ts";

/** Half the side of the cube's face through the middle, in pixels of the view of 320 × 240 from +z, in the face at z = 0. */
const half = 70;

test("an image has crisp texels in the table's colours, is translucent, clipped and picked", async () => {
  const { viewer, device } = await makeViewer();
  const faults: string[] = [];
  device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
  viewer.resetView("+z");
  const image = await viewer.addImage();
  image.setPaint(greyPaint);
  const values = device.createBuffer({ size: 32, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
  const scalars = [0, 1, 0.2, 1, Number.NaN, 0, 0.8, 0.4];
  device.queue.writeBuffer(values, 0, Float32Array.from(scalars));
  const place = { columns: 4, rows: 2, corner: [-1, -1, 0], along: [2, 0, 0], up: [0, 2, 0] } as const;
  image.setImage({ values, ...place, across: [4, 2], first: [0, 0] });

  const at = (column: number, row: number) =>
    [160 + half * ((column + 0.5) / 2 - 1), 120 - half * (row + 0.5 - 1)] as const;
  const picture = await decodePicture(await viewer.picture(1));
  for (const [i, scalar] of scalars.entries()) {
    const grey = 255 * scalar;
    const expected = Number.isNaN(scalar) ? nanColor : ([grey, grey, grey] as const);
    expect(pixelDistance(picture.at(...at(i % 4, i >> 2)), expected)).toBeLessThan(3);
  }
  // Between black and white there is nothing else.
  const [x, y] = at(0.5, 0);
  const seam = Array.from({ length: 21 }, (_, k) => picture.at(x - 10 + k, y)[0]);
  expect(seam.filter((grey) => grey > 2 && grey < 253)).toEqual([]);

  const hit = await viewer.pick(...at(2, 1));
  expect(hit?.drawable).toBe(image);
  expect(hit?.position[0]).toBeCloseTo(0.25, 1);
  expect(hit?.position[1]).toBeCloseTo(0.5, 1);

  image.setPaint({ ...greyPaint, opacity: 0.5, clip: { normal: [0, 1, 0], offset: 0 } });
  const faint = await decodePicture(await viewer.picture(1));
  expect(Math.abs(faint.at(...at(1, 1))[0] - 0.5 * lightBackground[0])).toBeLessThan(4);
  expect(pixelDistance(faint.at(...at(1, 0)), lightBackground)).toBeLessThan(3);
  image.remove();
  await viewer.frameDrawn();
  expect(faults).toEqual([]);
}, 120_000);
