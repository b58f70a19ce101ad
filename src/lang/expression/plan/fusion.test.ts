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
      "node tables, p, velocity, → s, → a temporary",
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
          let p_1: f32 = in_p[at];
          out_s[at] = ((-(p_1 * p_1)) + (0.5f * in_X_Velocity[at]));
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
        let span_x = node_inverse_span(0, x);
        let span_y = node_inverse_span(1, y);
        let x_plus_1 = min(x + 1, dims.x - 1);
        let x_minus_1 = max(x - 1, 0);
        let y_plus_1 = min(y + 1, dims.y - 1);
        let y_minus_1 = max(y - 1, 0);
        let z_below = max(first - 1, 0);
        let at_below = node_index(vec3i(x, y, z_below));
        let at_first = node_index(vec3i(x, y, first));
        var velocity_column_1_below = velocity_at_1(at_below);
        var velocity_column_1_here = velocity_at_1(at_first);
        for (var z = first; z <= last; z++) {
          let p = vec3i(x, y, z);
          let at = node_index(p);
          let span_z = node_inverse_span(2, z);
          let at_x_plus_1 = node_index(vec3i(x_plus_1, y, z));
          let at_x_minus_1 = node_index(vec3i(x_minus_1, y, z));
          let at_y_plus_1 = node_index(vec3i(x, y_plus_1, z));
          let at_y_minus_1 = node_index(vec3i(x, y_minus_1, z));
          let z_above = min(z + 1, dims.z - 1);
          let at_above = node_index(vec3i(x, y, z_above));
          let velocity_column_1_above = velocity_at_1(at_above);
          let gradient_x_1: vec3<f32> = select(((velocity_at_1(at_x_plus_1) - velocity_at_1(at_x_minus_1)) * span_x), vec3<f32>(0.0f), flat_x);
          let gradient_y_1: vec3<f32> = select(((velocity_at_1(at_y_plus_1) - velocity_at_1(at_y_minus_1)) * span_y), vec3<f32>(0.0f), flat_y);
          let gradient_z_1: vec3<f32> = select(((velocity_column_1_above - velocity_column_1_below) * span_z), vec3<f32>(0.0f), flat_z);
          out_m[at] = length_of_vec3_1(vec3<f32>((gradient_y_1.z - gradient_z_1.y), (gradient_z_1.x - gradient_x_1.z), (gradient_x_1.y - gradient_y_1.x)));
          velocity_column_1_below = velocity_column_1_here;
          velocity_column_1_here = velocity_column_1_above;
        }
      }
      "
    `);
  });

  it("adds a centred field's offset to values, and not to differences", () => {
    expect(body(kernelsOf("s = p + gradient(p)[0]", 8, 1000.5)[0])).toMatchInlineSnapshot(`
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
        let span_x = node_inverse_span(0, x);
        let x_plus_1 = min(x + 1, dims.x - 1);
        let x_minus_1 = max(x - 1, 0);
        for (var z = first; z <= last; z++) {
          let p = vec3i(x, y, z);
          let at = node_index(p);
          let at_x_plus_1 = node_index(vec3i(x_plus_1, y, z));
          let at_x_minus_1 = node_index(vec3i(x_minus_1, y, z));
          out_s[at] = ((in_p[at] + parameters.p_offset_1) + select(((in_p[at_x_plus_1] - in_p[at_x_minus_1]) * span_x), 0.0f, flat_x));
        }
      }
      "
    `);
  });

  it("takes no parameter, and binds no array, that a simpler kernel does without", () => {
    const [kernel] = kernelsOf("s = {p, a}[1] + 1", 8, 1000.5);
    expect(describeBindings(kernel)).toBe("a, → s");
    expect(kernel.parameters).toEqual([1001.5]);
  });

  it("of a change of centring averages eight neighbours", () => {
    expect(body(kernelsOf("c = recenter(p)")[0])).toMatchInlineSnapshot(`
      "fn main(
        @builtin(workgroup_id) group: vec3u,
        @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_id) local: vec3u,
      ) {
        let tile = linear_group(group, groups);
        let dims = extents.cell_dims;
        let x = i32(tile % extents.tiles.x * tile_x + local.x);
        let y = i32(tile / extents.tiles.x % extents.tiles.y * tile_y + local.y);
        let first = i32(tile / (extents.tiles.x * extents.tiles.y) * extents.depth);
        if (x >= dims.x || y >= dims.y || first >= dims.z) { return; }
        let last = min(first + i32(extents.depth), dims.z) - 1;

        for (var z = first; z <= last; z++) {
          let p = vec3i(x, y, z);
          let at = cell_index(p);
          let x_1: i32 = i32(vec3u(p).x);
          let high_x_1: i32 = min((x_1 + 1i), (extents.node_dims.x - 1i));
          let y_1: i32 = i32(vec3u(p).y);
          let high_y_1: i32 = min((y_1 + 1i), (extents.node_dims.y - 1i));
          let z_1: i32 = i32(vec3u(p).z);
          let common_1: i32 = (extents.node_dims.y * z_1);
          let common_2: i32 = (extents.node_dims.x * (y_1 + common_1));
          let common_3: i32 = (extents.node_dims.x * (high_y_1 + common_1));
          let common_4: i32 = (extents.node_dims.y * min((z_1 + 1i), (extents.node_dims.z - 1i)));
          let common_5: i32 = (extents.node_dims.x * (y_1 + common_4));
          let common_6: i32 = (extents.node_dims.x * (high_y_1 + common_4));
          let recenter_1: f32 = (0.125f * (((((((in_p[u32((x_1 + common_2))] + in_p[u32((high_x_1 + common_2))]) + in_p[u32((x_1 + common_3))]) + in_p[u32((high_x_1 + common_3))]) + in_p[u32((x_1 + common_5))]) + in_p[u32((high_x_1 + common_5))]) + in_p[u32((x_1 + common_6))]) + in_p[u32((high_x_1 + common_6))]));
          out_c[at] = recenter_1;
        }
      }
      "
    `);
  });
});
