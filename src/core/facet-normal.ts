/**
 * The unit normal of the triangle of three vertices, counter-clockwise seen from where it points to, into `normal`;
 * false, and nothing written, where the triangle has no area. Scaled first, so that nothing overflows.
 */
export function facetNormal(
  positions: ArrayLike<number>,
  [first, second, third]: readonly [number, number, number],
  normal: Float64Array,
): boolean {
  const ax = positions[3 * second] - positions[3 * first];
  const ay = positions[3 * second + 1] - positions[3 * first + 1];
  const az = positions[3 * second + 2] - positions[3 * first + 2];
  const bx = positions[3 * third] - positions[3 * first];
  const by = positions[3 * third + 1] - positions[3 * first + 1];
  const bz = positions[3 * third + 2] - positions[3 * first + 2];
  const largest = Math.max(
    Math.abs(ax),
    Math.abs(ay),
    Math.abs(az),
    Math.abs(bx),
    Math.abs(by),
    Math.abs(bz),
  );
  const x = (ay / largest) * (bz / largest) - (az / largest) * (by / largest);
  const y = (az / largest) * (bx / largest) - (ax / largest) * (bz / largest);
  const z = (ax / largest) * (by / largest) - (ay / largest) * (bx / largest);
  const length = Math.hypot(x, y, z);
  if (!(length > 0)) return false;
  normal[0] = x / length;
  normal[1] = y / length;
  normal[2] = z / length;
  return true;
}

/**
 * The same from the edges to the second vertex and to the third; zero where the triangle has no area. Contracted products
 * would give one to equal edges.
 */
export const facetNormalCode = /* wgsl */ `
fn facet_normal(a: vec3f, b: vec3f) -> vec3f {
  let most = max(abs(a), abs(b));
  let largest = max(most.x, max(most.y, most.z));
  if (!(largest > 0.0) | all(a == b)) {
    return vec3f(0.0);
  }
  let normal = cross(a / largest, b / largest);
  let length_of = length(normal);
  if (!(length_of > 0.0)) {
    return vec3f(0.0);
  }
  return normal / length_of;
}
`;
