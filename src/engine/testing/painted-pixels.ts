import { decodePicture } from "../../viewer/testing/pixels.ts";
import type { Engine } from "../engine.ts";

/** How many pixels differ in colour: what is drawn on an even background has some hundreds. */
export async function paintedPixels(engine: Engine): Promise<number> {
  const picture = await decodePicture(await engine.savePicture(1));
  const background = picture.at(1, 1).join();
  let painted = 0;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) if (picture.at(x, y).join() !== background) painted++;
  }
  return painted;
}
