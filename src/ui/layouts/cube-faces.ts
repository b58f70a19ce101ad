/** The cells on the three faces of a cube that are seen from where x, y and z grow, as polygons. */

export interface Face {
  /** The cell's number among the array's elements. */
  readonly element: number;
  /** "x,y x,y …", for an SVG. */
  readonly points: string;
  /** How bright the face is: 1 on top. */
  readonly light: number;
}

type Place = readonly [x: number, y: number, z: number];

const [cos, sin] = [Math.sqrt(3) / 2, 0.5];

/** x goes right and towards us, z left and towards us, y up. */
const projected = ([x, y, z]: Place): readonly [number, number] => [(x - z) * cos, (x + z) * sin - y];

/** The rectangle that the projection of a cube with these lengths fills: left, top, width and height. */
export const cubeBounds = ([lx, ly, lz]: Place): readonly [number, number, number, number] => [
  -lz * cos,
  -ly,
  (lx + lz) * cos,
  (lx + lz) * sin + ly,
];

export function facesOf([lx, ly, lz]: Place): Face[] {
  const face = (at: Place, corners: readonly Place[], light: number): Face => ({
    element: at[0] + lx * (at[1] + ly * at[2]),
    points: corners
      .map((corner) =>
        projected(corner)
          .map((c) => c.toFixed(3))
          .join(","),
      )
      .join(" "),
    light,
  });
  const faces: Face[] = [];
  for (let z = 0; z < lz; z++)
    for (let x = 0; x < lx; x++) {
      const corners: Place[] = [
        [x, ly, z],
        [x + 1, ly, z],
        [x + 1, ly, z + 1],
        [x, ly, z + 1],
      ];
      faces.push(face([x, ly - 1, z], corners, 1));
    }
  for (let y = 0; y < ly; y++) {
    for (let z = 0; z < lz; z++) {
      const corners: Place[] = [
        [lx, y, z],
        [lx, y + 1, z],
        [lx, y + 1, z + 1],
        [lx, y, z + 1],
      ];
      faces.push(face([lx - 1, y, z], corners, 0.84));
    }
    for (let x = 0; x < lx; x++) {
      const corners: Place[] = [
        [x, y, lz],
        [x + 1, y, lz],
        [x + 1, y + 1, lz],
        [x, y + 1, lz],
      ];
      faces.push(face([x, y, lz - 1], corners, 0.7));
    }
  }
  return faces;
}
