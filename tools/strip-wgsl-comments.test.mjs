import { expect, it } from "vitest";
import { withoutComments } from "./strip-wgsl-comments.mjs";

it("leaves shaders without lines of comments, and code as it is", () => {
  const shader = `
/** Of one
 *  kernel. */
struct A {
  /** A member. */
  a: f32, // padded
  // Another.
  b: u32,
}
let x = a / b; /* inside */ let y = 2.0 / c;
`;
  expect(withoutComments(shader)).toBe(`
struct A {
  a: f32, // padded
  b: u32,
}
let x = a / b; /* inside */ let y = 2.0 / c;
`);
});
