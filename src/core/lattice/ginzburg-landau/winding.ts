/** Kernel text that counts the turns of a phase around plaquettes. */

/**
 * Statements that declare `vortices`, the number (i32) of plaquettes in the planes of two axes, from the element on towards larger
 * coordinates, around which the phase of (re, im) turns: the times that it crosses the negative real axis upwards and downwards differ.
 * Neighbours are those of `siteText`.
 */
export function windingText(axes: number): string {
  const pairs = Array.from({ length: axes }, (_, a) =>
    Array.from({ length: axes - 1 - a }, (_, k) => [a, a + 1 + k] as const),
  ).flat();
  return `var vortices = 0;
${pairs
  .map(
    ([a, b]) =>
      `vortices += abs(crossing(element, above_${a}) + crossing(above_${a}, above_${b}_of(above_${a}))
  + crossing(above_${b}_of(above_${a}), above_${b}) + crossing(above_${b}, element));`,
  )
  .join("\n")}
${pairs.length === 0 ? "" : crossingText}`;
}

/** 1 where the segment from one element's value to another's crosses the negative real axis downwards, −1 upwards, else 0. */
const crossingText = `
fn crossing(from_element: u32, to_element: u32) -> i32 {
  let from_re = re(from_element);
  let from_im = im(from_element);
  let to_re = re(to_element);
  let to_im = im(to_element);
  if ((from_im < 0.0) == (to_im < 0.0)) { return 0; }
  let is_down = to_im < 0.0;
  let turn = from_re * to_im - from_im * to_re;
  if (is_down) { return select(0, 1, turn > 0.0); }
  return select(0, -1, turn < 0.0);
}`;
