/** What a mesh file says, for comparison with an oracle. */
export interface MeshMeasures {
  readonly triangles: number;
  readonly area: number;
  /** That the facets enclose by the divergence theorem; negative where they face inwards. */
  readonly volume: number;
  readonly bounds: readonly number[];
}

/** Reads a binary STL. Throws where its length is not what its count asks for. */
export function readStl(bytes: Buffer): MeshMeasures {
  const triangles = bytes.readUInt32LE(80);
  if (bytes.length !== 84 + 50 * triangles) {
    throw new Error(`an STL of ${triangles} triangles has ${84 + 50 * triangles} bytes, not ${bytes.length}`);
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let doubled = 0;
  let sixfold = 0;
  for (let t = 0; t < triangles; t++) {
    const corner = (k: number) =>
      [0, 1, 2].map((d) => bytes.readFloatLE(84 + 50 * t + 12 + 12 * k + 4 * d)) as [number, number, number];
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    for (const p of [a, b, c]) {
      for (let d = 0; d < 3; d++) {
        low[d] = Math.min(low[d], p[d]);
        high[d] = Math.max(high[d], p[d]);
      }
    }
    const u = b.map((x, d) => x - a[d]);
    const v = c.map((x, d) => x - a[d]);
    const across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    doubled += Math.hypot(...across);
    sixfold += across.reduce((sum, x, d) => sum + x * a[d], 0);
  }
  const bounds = [low[0], high[0], low[1], high[1], low[2], high[2]];
  return { triangles, area: doubled / 2, volume: sixfold / 6, bounds };
}

/** Counts and property names of a PLY's header. */
export function readPlyHeader(bytes: Buffer): { vertices: number; faces: number; properties: string[] } {
  const header = bytes.subarray(0, bytes.indexOf("end_header")).toString("latin1");
  const count = (element: string) => Number(new RegExp(`element ${element} (\\d+)`).exec(header)?.[1]);
  const properties = [...header.matchAll(/property (?!list)\S+ (\S+)/g)].map((match) => match[1]);
  return { vertices: count("vertex"), faces: count("face"), properties };
}
