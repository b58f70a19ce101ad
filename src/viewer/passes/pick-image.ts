import type { Triple } from "../../core/grid.ts";
import type { DepthImage } from "../depth-image.ts";
import type { ViewPart } from "../view-uniforms.ts";
import type { Hit } from "./pick-pass.ts";

/** Words of `View`, of one pixel of the view: from the scene to the eye, and on to the pixel's clip space. */
const [viewWord, projectionWord, scaleWord] = [0, 16, 32];

/**
 * The hit in an image that is nearer than what else was hit at a pixel, if there is one; otherwise that other hit. `words` are
 * those of `View` for `part`, the pixel.
 */
export function nearestInImages(
  drawables: readonly (Hit["drawable"] | DepthImage)[],
  words: Float32Array,
  [scaleX, scaleY, offsetX, offsetY]: ViewPart,
  drawn: Hit | undefined,
): Hit | undefined {
  const right = 0.5 * (1 - offsetX / scaleX);
  const down = 0.5 * (1 + offsetY / scaleY);
  let nearest = drawn;
  let nearestDepth = drawn ? depthOf(words, drawn.position) : 1;
  for (const drawable of drawables) {
    if (!("depthAt" in drawable) || !drawable.isShown) continue;
    const depth = drawable.depthAt(right, down);
    if (!(depth < nearestDepth)) continue;
    const position = positionAt(words, depth);
    nearest = { drawable, part: undefined, position, middle: position };
    nearestDepth = depth;
  }
  return nearest;
}

/** The depth, from 0 to 1, of a position relative to the data's centre, in its units. */
function depthOf(words: Float32Array, position: Triple): number {
  let z = words[viewWord + 14];
  for (let axis = 0; axis < 3; axis++)
    z += words[viewWord + 4 * axis + 2] * position[axis] * words[scaleWord];
  return (words[projectionWord + 10] * z + words[projectionWord + 14]) / -z;
}

/** The position at this depth in the middle of the pixel: where clip space's x and y are 0. */
function positionAt(words: Float32Array, depth: number): Triple {
  const z = -words[projectionWord + 14] / (depth + words[projectionWord + 10]);
  const fromEye = [
    (-words[projectionWord + 8] * z) / words[projectionWord],
    (-words[projectionWord + 9] * z) / words[projectionWord + 5],
    z,
  ];
  const along = (axis: number) => {
    let sum = 0;
    for (let row = 0; row < 3; row++)
      sum += words[viewWord + 4 * axis + row] * (fromEye[row] - words[viewWord + 12 + row]);
    return sum / words[scaleWord];
  };
  return [along(0), along(1), along(2)];
}
