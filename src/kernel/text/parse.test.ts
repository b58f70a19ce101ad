import { expect, it } from "vitest";
import { f32 } from "../types.ts";
import { parseExpression, parseKernel } from "./parse.ts";

it("parses", () => {
  console.log(JSON.stringify(parseExpression("x * x + 1", { x: f32 }, f32)));
  const k = parseKernel({
    name: "gradient",
    inputs: {
      values: { scalar: "f32", access: { kind: "offsets" } },
      h: { scalar: "f32", components: 3, access: { kind: "own" } },
    },
    outputs: { gradient: { scalar: "f32", components: 3 } },
    constants: { scale: f32 },
    text: `
      fn half(a: f32, b: f32) -> f32 { return (b - a) * 0.5; }
      var sum: f32;
      for (var i = 0; i <= 4; i += 2) { sum += f32(i) * constants.scale; }
      let d = vec3(half(values(-1, 0, 0), values(1, 0, 0)), 1, sum) / h();
      if (at.x == 0u && d.y > 1) { out.gradient.x = 3; } else { out.gradient = d.zyx; }
    `,
  });
  console.log(JSON.stringify(k.body, null, 1).length);
  expect(k.functions.length).toBe(1);
});
