/**
 * WGSL: whole numbers of 64 bits as two words, low one first, in two's complement where they have a sign. Unlike f32 with error
 * terms they are exact whatever a compiler fuses.
 */
export const wideCode = /* wgsl */ `
fn wide_product(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let one = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (one & 0xffffu);
  return vec2u((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (one >> 16u) + (other >> 16u));
}

fn wide_sum(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + u32(low < a.x));
}

fn wide_negative(a: vec2u) -> vec2u {
  return wide_sum(~a, vec2u(1u, 0u));
}

fn wide_sign(a: vec2u) -> i32 {
  return select(select(1, 0, all(a == vec2u(0u))), -1, (a.y >> 31u) == 1u);
}

fn wide_magnitude(a: vec2u) -> vec2u {
  if ((a.y >> 31u) == 1u) {
    return wide_negative(a);
  }
  return a;
}

/** The product of two numbers with a sign. */
fn wide_times(a: i32, b: i32) -> vec2u {
  let product = wide_product(u32(abs(a)), u32(abs(b)));
  if ((a < 0) != (b < 0)) {
    return wide_negative(product);
  }
  return product;
}

fn wide_number(a: vec2u) -> f32 {
  let magnitude = wide_magnitude(a);
  let number = f32(magnitude.y) * 4294967296.0 + f32(magnitude.x);
  return select(number, -number, (a.y >> 31u) == 1u);
}

/** The product of two numbers without a sign, in four words, lowest first. */
fn widest_product(a: vec2u, b: vec2u) -> vec4u {
  let low = wide_product(a.x, b.x);
  let one = wide_sum(wide_product(a.y, b.x), vec2u(low.y, 0u));
  let other = wide_sum(wide_product(a.x, b.y), vec2u(one.x, 0u));
  let high = wide_sum(wide_sum(wide_product(a.y, b.y), vec2u(one.y, 0u)), vec2u(other.y, 0u));
  return vec4u(low.x, other.x, high);
}

/** Which of two numbers of four words is the greater: 1, 0 or −1. */
fn widest_order(a: vec4u, b: vec4u) -> i32 {
  for (var i = 4u; i > 0u; i--) {
    if (a[i - 1u] != b[i - 1u]) {
      return select(-1, 1, a[i - 1u] > b[i - 1u]);
    }
  }
  return 0;
}

/** a − b, where a is not the lesser. */
fn widest_difference(a: vec4u, b: vec4u) -> vec4u {
  let low = wide_sum(a.xy, wide_negative(b.xy));
  let high = wide_sum(a.zw, wide_negative(b.zw));
  let is_borrowed = a.y < b.y || (a.y == b.y && a.x < b.x);
  return vec4u(low, wide_sum(high, select(vec2u(0u), vec2u(0xffffffffu), is_borrowed)));
}

fn widest_number(a: vec4u) -> f32 {
  return ((f32(a.w) * 4294967296.0 + f32(a.z)) * 4294967296.0 + f32(a.y)) * 4294967296.0 + f32(a.x);
}

/** The sign of a · b + c · d. */
fn sign_of_products(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> i32 {
  let one = wide_sign(a) * wide_sign(b);
  let other = wide_sign(c) * wide_sign(d);
  if (one * other >= 0) {
    return select(one, other, one == 0);
  }
  return one * widest_order(
    widest_product(wide_magnitude(a), wide_magnitude(b)),
    widest_product(wide_magnitude(c), wide_magnitude(d)),
  );
}
`;
