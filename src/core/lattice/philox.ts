/**
 * Philox 4×32-7, the counter-based random numbers of Salmon, Moraes, Dror and Shaw (“Parallel random numbers: as easy as 1, 2, 3”,
 * SC 2011), in kernel text: `philox(counter, key)` is four independent words. Seven rounds are the fewest with which the authors
 * found no failure in any test of BigCrush. Since a number depends on its counter and
 * the key alone, a trajectory is the same wherever, and in whatever order, its sites are computed.
 */
export const philoxText = /* wgsl */ `
// The upper word of the product of two words, in halves of 16 bits: WGSL has none. No sum exceeds 2³² − 1.
fn upper_product(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let low = a1 * b0 + ((a0 * b0) >> 16u);
  let high = a0 * b1 + (low & 0xffffu);
  return a1 * b1 + (low >> 16u) + (high >> 16u);
}

fn philox(counter: vec4u, key: vec2u) -> vec4u {
  var words = counter;
  var round_key = key;
  for (var turn = 0; turn < 7; turn++) {
    words = vec4u(
      upper_product(0xcd9e8d57u, words.z) ^ words.y ^ round_key.x,
      0xcd9e8d57u * words.z,
      upper_product(0xd2511f53u, words.x) ^ words.w ^ round_key.y,
      0xd2511f53u * words.x,
    );
    round_key += vec2u(0x9e3779b9u, 0xbb67ae85u);
  }
  return words;
}
`;
