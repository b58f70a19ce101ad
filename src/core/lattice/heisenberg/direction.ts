/** Directions in integers: vectors of the length 4096, to the rounding of their components. */

/** The length of a spin. */
export const spinLength = 4096;

/**
 * Kernel text: `direction(random)` is a spin, uniform on the sphere, made of three words; or zeros. A word's lower 30 bits are a point of a
 * cube, c = 2k − 1023 along each axis; the first of three points with 256² ≤ |c|² < 1024² is projected onto the sphere. In one of nine
 * cases there is none.
 */
export const directionText = /* wgsl */ `
// The integer nearest to the square root of n ≤ 2³² − 2¹²: the estimate is off by one at most.
fn root(n: u32) -> u32 {
  var below = min(u32(sqrt(f32(n))), 65534u);
  if (below * below > n) {
    below -= 1u;
  } else if ((below + 1u) * (below + 1u) <= n) {
    below += 1u;
  }
  return below + u32(n - below * below > below);
}

// 4096·c / |c|, of 64·|c|.
fn projected(c: i32, size: u32) -> i32 {
  let magnitude = i32((u32(abs(c)) * ${64 * spinLength}u + (size >> 1u)) / size);
  return select(magnitude, -magnitude, c < 0);
}

fn direction(random: vec4u) -> vec3i {
  for (var n = 0; n < 3; n++) {
    let word = random[n];
    let x = 2 * i32(word & 1023u) - 1023;
    let y = 2 * i32((word >> 10u) & 1023u) - 1023;
    let z = 2 * i32((word >> 20u) & 1023u) - 1023;
    let square = u32(x * x + y * y + z * z);
    if (square >= 65536u && square < 1048576u) {
      let size = root(square << 12u);
      return vec3i(projected(x, size), projected(y, size), projected(z, size));
    }
  }
  return vec3i(0, 0, 0);
}`;

/** Kernel text: a spin in two words, x in the lower half of the first and y in its upper one, and back. */
export const packingText = /* wgsl */ `
fn packed(spin: vec3i) -> u32 {
  return (bitcast<u32>(spin.x) & 0xffffu) | (bitcast<u32>(spin.y) << 16u);
}
fn unpacked(xy: u32, z: i32) -> vec3i {
  return vec3i(bitcast<i32>(xy << 16u) >> 16u, bitcast<i32>(xy) >> 16u, z);
}`;
