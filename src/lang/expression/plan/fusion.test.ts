import { describe, expect, it } from "vitest";
import type { CrinkleError } from "../../../core/errors.ts";
import { compile } from "../compile.ts";
import type { FieldSignature } from "../network/network.ts";
import { fusion } from "./fusion.ts";
import type { Binding, ExpressionKernel } from "./kernel.ts";

const fields: FieldSignature[] = [
  { name: "velocity", components: 3, centering: "node" },
  { name: "p", components: 1, centering: "node" },
  { name: "X Velocity", components: 1, centering: "node" },
  { name: "rho", components: 1, centering: "cell" },
  ...Array.from("abcdefgh", (name): FieldSignature => ({ name, components: 1, centering: "node" })),
];

function kernelsOf(text: string, storageBuffers = 8, offset = 0): readonly ExpressionKernel[] {
  const network = compile(text, fields);
  const layout = (name: string) => {
    const { components } = fields.find((field) => field.name === name)!;
    return { components, offsets: new Array<number>(components).fill(offset) };
  };
  return fusion.plan(network, network.outputs, layout, { storageBuffers });
}

function nameOf(binding: Binding): string {
  switch (binding.kind) {
    case "tables":
      return `${binding.centering} tables`;
    case "source":
      return binding.field;
    case "temporary":
      return "a temporary";
    case "store":
      return binding.store.output === undefined ? "→ a temporary" : `→ ${binding.store.output}`;
  }
}

const describeBindings = ({ bindings }: ExpressionKernel) => bindings.map(nameOf).join(", ");

/** The code from the main function's first own statement on. */
const body = ({ code }: ExpressionKernel) => code.slice(code.indexOf("fn main"));

describe("kernels", () => {
  it("are one where every stencil reads what is stored or cheap to recompute", () => {
    expect(kernelsOf("q = q_criterion(velocity); w = curl(velocity); m = magnitude(w)").length).toBe(1);
    expect(kernelsOf("g = gradient(magnitude(velocity))").map(describeBindings)).toEqual([
      "node tables, velocity, → g",
    ]);
    expect(kernelsOf("q = q_criterion({p, a, b})").map(describeBindings)).toEqual([
      "node tables, p, a, b, → q",
    ]);
  });

  it("split where a stencil reads the result of another", () => {
    expect(kernelsOf("l = laplacian(laplacian(p))").map(describeBindings)).toEqual([
      "node tables, p, → a temporary",
      "node tables, a temporary, → l",
    ]);
  });

  it("store a named result once and read it as the temporary it also is", () => {
    expect(kernelsOf("w = curl(velocity); c = curl(w); m = magnitude(c)").map(describeBindings)).toEqual([
      "node tables, velocity, → w",
      "node tables, a temporary, → c, → m",
    ]);
  });

  it("are shared by the outputs of one centring, though one must come late", () => {
    expect(kernelsOf("s = 2 * p; c = curl(curl(velocity))").map(describeBindings)).toEqual([
      "node tables, velocity, p, → s, → a temporary",
      "node tables, a temporary, → c",
    ]);
    expect(kernelsOf("r = 2 * rho; c = recenter(curl(velocity))").map(describeBindings)).toEqual([
      "node tables, velocity, → a temporary",
      "rho, a temporary, → r, → c",
    ]);
    expect(kernelsOf("s = 2 * p; r = 2 * rho").map(describeBindings)).toEqual(["p, → s", "rho, → r"]);
  });

  it("compute a costly value once rather than at every neighbour", () => {
    const costly = "s = sin(a) + cos(b) * exp(c) + ln(d) * sqrt(e) - tan(f) * atan(g) + tanh(h)";
    expect(kernelsOf(`${costly}; g2 = gradient(s)`, 16).length).toBe(2);
  });

  it("split by outputs, then by parts, where a device binds too few buffers", () => {
    const outputs = kernelsOf("r1 = a + b; r2 = b + c; r3 = a + d", 4);
    expect(outputs.map(describeBindings)).toEqual(["a, b, → r1", "b, c, → r2", "a, d, → r3"]);
    const parts = kernelsOf("s = a + b + c + d + e + f", 4);
    expect(parts.every(({ bindings }) => bindings.length <= 4)).toBe(true);
    expect(describeBindings(parts[parts.length - 1])).toContain("→ s");
  });

  it("say so where no split helps", () => {
    let error: unknown;
    try {
      kernelsOf("s = a + b", 2);
    } catch (thrown) {
      error = thrown;
    }
    expect((error as CrinkleError).tag).toBe("TooLarge");
    expect((error as CrinkleError).message).toContain("“s”");
  });
});

describe("the code", () => {
  it("of element-wise values is flat", () => {
    expect(body(kernelsOf('s = -p^2 + 0.5 * "X Velocity"')[0])).toMatchInlineSnapshot(`
      "fn main(
        @builtin(workgroup_id) group: vec3u,
        @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_id) local: vec3u,
      ) {
        let first = linear_group(group, groups) * 1024u + local.x;
        for (var step = 0u; step < 1024u; step += 256u) {
          let at = first + step;
          if (at >= extents.node_count) { return; }
          let p_1 = in_p[at];
          let multiply_1 = p_1 * p_1;
          let negate_1 = -multiply_1;
          let X_Velocity_1 = in_X_Velocity[at];
          let multiply_2 = 0.5 * X_Velocity_1;
          let add_1 = negate_1 + multiply_2;
          out_s[at] = add_1;
        }
      }
      "
    `);
  });

  it("of a stencil walks along z with its column in registers", () => {
    expect(body(kernelsOf("m = magnitude(curl(velocity))")[0])).toMatchInlineSnapshot(`
      "fn main(
        @builtin(workgroup_id) group: vec3u,
        @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_id) local: vec3u,
      ) {
        let tile = linear_group(group, groups);
        let dims = extents.node_dims;
        let x = i32(tile % extents.tiles.x * tile_x + local.x);
        let y = i32(tile / extents.tiles.x % extents.tiles.y * tile_y + local.y);
        let first = i32(tile / (extents.tiles.x * extents.tiles.y) * extents.depth);
        if (x >= dims.x || y >= dims.y || first >= dims.z) { return; }
        let last = min(first + i32(extents.depth), dims.z) - 1;
        var velocity_column_1_below = velocity_at_1(vec3i(x, y, max(first - 1, 0)));
        var velocity_column_1_here = velocity_at_1(vec3i(x, y, first));
        let row_spans = vec2f(inverse_span(0, x), inverse_span(1, y));
        for (var z = first; z <= last; z++) {
          let p = vec3i(x, y, z);
          let at = node_index(p);
          let spans = vec3f(row_spans, inverse_span(2, z));
          let velocity_column_1_above = velocity_at_1(vec3i(x, y, min(z + 1, dims.z - 1)));
          let gradient_1 = gradient_of_1(p, velocity_column_1_here, velocity_column_1_below, velocity_column_1_above, spans);
          let curl_of_gradient_1 = vec3f(gradient_1[2].y - gradient_1[1].z, gradient_1[0].z - gradient_1[2].x, gradient_1[1].x - gradient_1[0].y);
          let magnitude_1 = length_of_vec3(curl_of_gradient_1);
          out_m[at] = magnitude_1;
          velocity_column_1_below = velocity_column_1_here;
          velocity_column_1_here = velocity_column_1_above;
        }
      }
      "
    `);
  });

  it("adds a centred field's offset to values, and not to differences", () => {
    const { code } = kernelsOf("s = p + gradient(p)[0]", 8, 1000.5)[0];
    expect(code.slice(code.indexOf("fn p_at"))).toMatchInlineSnapshot(`
      "fn p_at_1(p: vec3i) -> f32 {
        let at = node_index(p);
        let p_1 = in_p[at];
        return p_1;
      }

      fn gradient_of_1(p: vec3i, here: f32, below: f32, above: f32, spans: vec3f) -> vec3f {
        let dims = extents.node_dims;
        var x: f32;
        var y: f32;
        var z: f32;
        x = select(((p_at_1(vec3i(min(p.x + 1, dims.x - 1), p.y, p.z)) - p_at_1(vec3i(max(p.x - 1, 0), p.y, p.z))) * spans.x), 0.0f, vec3<bool>(flat_x, flat_y, flat_z).x);
        y = select(((p_at_1(vec3i(p.x, min(p.y + 1, dims.y - 1), p.z)) - p_at_1(vec3i(p.x, max(p.y - 1, 0), p.z))) * spans.y), 0.0f, vec3<bool>(flat_x, flat_y, flat_z).y);
        z = select(((above - below) * spans.z), 0.0f, vec3<bool>(flat_x, flat_y, flat_z).z);
        return vec3f(x, y, z);
      }

      override tile_x: u32;
      override tile_y: u32;
      override flat_x: bool;
      override flat_y: bool;
      override flat_z: bool;

      @compute @workgroup_size(tile_x, tile_y)
      fn main(
        @builtin(workgroup_id) group: vec3u,
        @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_id) local: vec3u,
      ) {
        let tile = linear_group(group, groups);
        let dims = extents.node_dims;
        let x = i32(tile % extents.tiles.x * tile_x + local.x);
        let y = i32(tile / extents.tiles.x % extents.tiles.y * tile_y + local.y);
        let first = i32(tile / (extents.tiles.x * extents.tiles.y) * extents.depth);
        if (x >= dims.x || y >= dims.y || first >= dims.z) { return; }
        let last = min(first + i32(extents.depth), dims.z) - 1;
        var p_column_1_below = p_at_1(vec3i(x, y, max(first - 1, 0)));
        var p_column_1_here = p_at_1(vec3i(x, y, first));
        let row_spans = vec2f(inverse_span(0, x), inverse_span(1, y));
        for (var z = first; z <= last; z++) {
          let p = vec3i(x, y, z);
          let at = node_index(p);
          let spans = vec3f(row_spans, inverse_span(2, z));
          let p_column_1_above = p_at_1(vec3i(x, y, min(z + 1, dims.z - 1)));
          let p_2 = in_p[at] + parameters.p_offset_1;
          let gradient_1 = gradient_of_1(p, p_column_1_here, p_column_1_below, p_column_1_above, spans);
          let add_1 = p_2 + gradient_1.x;
          out_s[at] = add_1;
          p_column_1_below = p_column_1_here;
          p_column_1_here = p_column_1_above;
        }
      }
      "
    `);
  });

  it("of a change of centring averages eight neighbours", () => {
    const { code } = kernelsOf("c = recenter(p)")[0];
    expect(code.slice(code.indexOf("fn p_at"), code.indexOf("override"))).toMatchInlineSnapshot(`
      "fn p_at_1(p: vec3i) -> f32 {
        let at = node_index(p);
        let p_1 = in_p[at];
        return p_1;
      }

      fn recenter_of_1(p: vec3i) -> f32 {
        let low = p;
        let high = min(p + 1, extents.node_dims - 1);
        let sum = p_at_1(vec3i(low.x, low.y, low.z))
          + p_at_1(vec3i(high.x, low.y, low.z))
          + p_at_1(vec3i(low.x, high.y, low.z))
          + p_at_1(vec3i(high.x, high.y, low.z))
          + p_at_1(vec3i(low.x, low.y, high.z))
          + p_at_1(vec3i(high.x, low.y, high.z))
          + p_at_1(vec3i(low.x, high.y, high.z))
          + p_at_1(vec3i(high.x, high.y, high.z));
        return 0.125 * sum;
      }

      "
    `);
  });
});
