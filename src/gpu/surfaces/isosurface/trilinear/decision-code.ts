import { faces } from "../../../../core/marching-cubes/cube.ts";
import { connectionKinds, flatRing } from "../../../../core/marching-cubes/trilinear/inner-connection.ts";
import { wideCode } from "../../../shader/wide.ts";

const wgslFaces = faces.map((corners) => `vec4u(${corners.map((corner) => `${corner}u`)})`);

/** WGSL: a cell's values less the isovalue, which whoever decides sets first. */
const cornersCode = /* wgsl */ `
var<private> corner_values: array<f32, 8>;
/** The same over their largest magnitude's power of two: 24 bits of it, and whole where the values are. */
var<private> whole_values: array<i32, 8>;

fn corner_of(i: u32) -> vec3u {
  return vec3u(i, i >> 1u, i >> 2u) & vec3u(1u);
}

/** Needs the corners; they are scaled by a power of two, to magnitudes below 2²⁴. */
fn scale_corners() {
  var largest = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    largest = max(largest, bitcast<u32>(corner_values[corner]) & 0x7fffffffu);
  }
  // 23 binary places beside the largest one's first, in two factors that are no subnormal numbers.
  let shift = 150 - i32(largest >> 23u);
  let half = shift / 2;
  let factor = bitcast<f32>(u32(half + 127) << 23u);
  let rest = bitcast<f32>(u32(shift - half + 127) << 23u);
  for (var corner = 0u; corner < 8u; corner++) {
    corner_values[corner] = corner_values[corner] * factor * rest;
    whole_values[corner] = i32(round(corner_values[corner]));
  }
}
`;

/**
 * WGSL: the tunnels of a cell as `innerConnections` finds them, in whole numbers: the signs that decide are exact, and so is
 * what cancels on the way to the places.
 */
const innerConnectionCode = /* wgsl */ `
struct Connection {
  is_there: bool,
  /** Whether corners above are joined. */
  is_above: bool,
  /** The slices that are cut in two lines. */
  low: f32,
  high: f32,
}

/** The z edges of two opposite corners above, and of the two below. */
fn z_edges(odd: u32) -> vec4u {
  return select(vec4u(1u, 2u, 0u, 3u), vec4u(0u, 3u, 1u, 2u), odd == 0u);
}

fn rise_of(edge: u32) -> i32 {
  return whole_values[edge + 4u] - whole_values[edge];
}

/** Twice the square's factor, the linear one, and the constant of D(z). */
struct Parabola {
  square: vec2u,
  linear: vec2u,
  constant: vec2u,
}

fn parabola_of(e: vec4u) -> Parabola {
  let v = vec4i(whole_values[e.x], whole_values[e.y], whole_values[e.z], whole_values[e.w]);
  let r = vec4i(rise_of(e.x), rise_of(e.y), rise_of(e.z), rise_of(e.w));
  let square = wide_sum(wide_times(r.x, r.y), wide_times(-r.z, r.w));
  let here = wide_sum(wide_times(v.x, r.y), wide_times(v.y, r.x));
  let opposite = wide_sum(wide_times(-v.z, r.w), wide_times(-v.w, r.z));
  return Parabola(
    wide_sum(square, square),
    wide_sum(here, opposite),
    wide_sum(wide_times(v.x, v.y), wide_times(-v.z, v.w)),
  );
}

fn wide_of(a: i32) -> vec2u {
  return vec2u(bitcast<u32>(a), bitcast<u32>(a >> 31u));
}

/** Of the tunnel while the z edges of corners \`odd\` and 3 − \`odd\` are above. Needs scaled corners. */
fn connection_along(above: u32, odd: u32) -> Connection {
  var connection = Connection(false, false, 0.0, 1.0);
  let e = z_edges(odd);
  let d = parabola_of(e);
  let bend = wide_sign(d.square);
  // D turns within the range: after 0 and before 1, and on the same side of each crossing as the range.
  let rise_at_0 = wide_sign(d.linear);
  let rise_at_1 = wide_sign(wide_sum(d.linear, d.square));
  var is_within = bend != 0 && rise_at_0 * bend < 0 && rise_at_1 * bend > 0;
  for (var i = 0u; i < 4u; i++) {
    let edge = e[i];
    let wanted = u32(i < 2u);
    let is_low_fit = ((above >> edge) & 1u) == wanted;
    let is_high_fit = ((above >> (edge + 4u)) & 1u) == wanted;
    if (!is_low_fit && !is_high_fit) {
      is_within = false;
    }
    if (is_low_fit != is_high_fit) {
      let drop = -rise_of(edge);
      let value = whole_values[edge];
      let side = sign_of_products(d.linear, wide_of(drop), d.square, wide_of(value));
      let fall = select(-1, 1, (wanted == 1u) == is_low_fit);
      let order = -side * fall * bend;
      is_within = is_within & select(order > 0, order < 0, is_low_fit);
      let crossing = clamp(corner_values[edge] / (corner_values[edge] - corner_values[edge + 4u]), 0.0, 1.0);
      if (is_low_fit) {
        connection.high = min(connection.high, crossing);
      } else {
        connection.low = max(connection.low, crossing);
      }
    }
  }
  if (!is_within) {
    return connection;
  }
  connection.is_above = bend < 0;
  let double_constant = wide_sum(d.constant, d.constant);
  let linear = wide_magnitude(d.linear);
  let squared = widest_product(linear, linear);
  let product = widest_product(wide_magnitude(d.square), wide_magnitude(double_constant));
  let is_less = bend * wide_sign(d.constant) > 0;
  let order = widest_order(squared, product);
  if (is_less && (order < 0 || (order == 0 && connection.is_above))) {
    return connection;
  }
  connection.is_there = true;
  var discriminant = 0.0;
  if (is_less) {
    discriminant = widest_number(widest_difference(squared, product));
  } else {
    discriminant = widest_number(squared) + widest_number(product);
  }
  let bottom = wide_number(d.square);
  let turn = -wide_number(d.linear) / bottom;
  let reach = sqrt(discriminant) / abs(bottom);
  connection.low = max(turn - reach, connection.low);
  connection.high = min(turn + reach, connection.high);
  return connection;
}

/** Where the bilinear interpolant in a slice across z has its saddle. */
fn saddle_of(z: f32) -> vec2f {
  var f: array<f32, 4>;
  for (var edge = 0u; edge < 4u; edge++) {
    f[edge] = corner_values[edge] + z * (corner_values[edge + 4u] - corner_values[edge]);
  }
  return vec2f(f[0] - f[2], f[0] - f[1]) / ((f[0] - f[1]) + (f[3] - f[2]));
}
`;

/** WGSL: which patch an ambiguous cell has. Needs `case_word`, which reads the words of `ambiguousCellTable`. */
const outlineCode = /* wgsl */ `
const faces = array<vec4u, 6>(${wgslFaces});

struct Decision {
  patch_number: u32,
  /** 0 without a tunnel, else one more than the z edges that it runs between. */
  ring: u32,
}

/** The magnitude of a product, to compare word by word: its exponent, then 48 bits. */
fn product_of(a: f32, b: f32) -> vec3u {
  let x = bitcast<u32>(a) & 0x7fffffffu;
  let y = bitcast<u32>(b) & 0x7fffffffu;
  if (min(x, y) < 0x00800000u) {
    return vec3u(0u);
  }
  let product = wide_product((x & 0x7fffffu) | 0x800000u, (y & 0x7fffffu) | 0x800000u);
  let is_short = (product.y >> 15u) == 0u;
  let digits = select(product, wide_sum(product, product), is_short);
  return vec3u((x >> 23u) + (y >> 23u) + u32(!is_short), digits.y, digits.x);
}

fn is_greater(a: vec3u, b: vec3u) -> bool {
  if (a.x != b.x) {
    return a.x > b.x;
  }
  return a.y > b.y || (a.y == b.y && a.z > b.z);
}

/** Which of the cell's ambiguous faces join their corners above, a bit each in the faces' order. */
fn joined_faces(above: u32) -> u32 {
  var joined = 0u;
  var bit = 0u;
  for (var face = 0u; face < 6u; face++) {
    let corners = faces[face];
    let is_above = (vec4u(above) >> corners) & vec4u(1u);
    if (all(is_above.xy == is_above.zw) && is_above.x != is_above.y) {
      let one = product_of(corner_values[corners.x], corner_values[corners.z]);
      let other = product_of(corner_values[corners.y], corner_values[corners.w]);
      if (is_above.x == 1u) {
        joined |= u32(is_greater(one, other)) << bit;
      } else {
        joined |= u32(is_greater(other, one)) << bit;
      }
      bit++;
    }
  }
  return joined;
}

/** Needs the corners' values. */
fn decide(above: u32) -> Decision {
  let outline = case_word((case_word(above) & 0x7fffffffu) + joined_faces(above));
  let tunnels = outline >> 12u;
  if (tunnels != 0u) {
    scale_corners();
    for (var odd = 0u; odd < 2u; odd++) {
      let connection = connection_along(above, odd);
      if (connection.is_there) {
        let falls = vec2u(saddle_of(connection.low) > saddle_of(connection.high) - ${flatRing});
        let kind = ${connectionKinds / 2}u * odd + 4u * u32(connection.is_above) + 2u * falls.y + falls.x;
        let number = case_word(tunnels + kind);
        if (number != 0u) {
          return Decision(number, odd + 1u);
        }
      }
    }
  }
  return Decision(outline & 0xfffu, 0u);
}
`;

/** WGSL of all three: `decide` after `corner_values` have been set. */
export const decisionCode: string = wideCode + cornersCode + innerConnectionCode + outlineCode;
