/** Sets of names for the columns of the axes, in the form of `plainName`. */
type AxisNames = readonly [x: readonly string[], y: readonly string[], z: readonly string[]];

const spellings: readonly AxisNames[] = [
  [["x"], ["y"], ["z"]],
  [["px"], ["py"], ["pz"]],
  [
    ["posx", "positionx", "xpos", "xposition"],
    ["posy", "positiony", "ypos", "yposition"],
    ["posz", "positionz", "zpos", "zposition"],
  ],
  [
    ["xcoord", "coordx", "xcoordinate", "coordinatex"],
    ["ycoord", "coordy", "ycoordinate", "coordinatey"],
    ["zcoord", "coordz", "zcoordinate", "coordinatez"],
  ],
  [
    ["pointsx", "pointx"],
    ["pointsy", "pointy"],
    ["pointsz", "pointz"],
  ],
  [
    ["points0", "coordinates0"],
    ["points1", "coordinates1"],
    ["points2", "coordinates2"],
  ],
  [["x0"], ["x1"], ["x2"]],
  [["x1"], ["x2"], ["x3"]],
  [
    ["lon", "lng", "long", "longitude"],
    ["lat", "latitude"],
    ["alt", "altitude", "elevation", "height"],
  ],
  [
    ["easting", "east"],
    ["northing", "north"],
    ["elevation", "height", "altitude", "alt"],
  ],
];

/** Columns of x, y and z; z is undefined if the points lie in a plane. */
export interface CoordinateColumns {
  readonly x: number;
  readonly y: number;
  readonly z: number | undefined;
  /** Whether their names identify them. */
  readonly isNamed: boolean;
}

/**
 * The coordinates among `names`, of which `numeric` are the columns of numbers: those whose names are one of the
 * spellings above, whatever their case, units and punctuation; else the first three, or two. Undefined below two.
 */
export function findCoordinates(
  names: readonly string[],
  numeric: readonly number[],
): CoordinateColumns | undefined {
  const plain = names.map(plainName);
  const find = (candidates: readonly string[]) =>
    numeric.find((column) => candidates.includes(plain[column]));
  for (const [xs, ys, zs] of spellings) {
    const x = find(xs);
    const y = find(ys);
    if (x !== undefined && y !== undefined) return { x, y, z: find(zs), isNamed: true };
  }
  if (numeric.length < 2) return undefined;
  return { x: numeric[0], y: numeric[1], z: numeric[2], isNamed: false };
}

/**
 * A name without case, without a unit in brackets, and without anything but letters and digits: “Pos_X [m]” is “posx”.
 */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s*[[(][^\])]*[\])]\s*$/, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
