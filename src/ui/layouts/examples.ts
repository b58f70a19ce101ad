/** What the page begins with, and what it offers to try. */

export type Kind = "picture" | "cube" | "row";

export interface Example {
  /** The shape, as `parseShape` reads it, at which the transforms are tried. */
  readonly shape: string;
  readonly transforms: readonly string[];
}

export const kinds: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: "picture", label: "Picture" },
  { value: "cube", label: "Cube" },
  { value: "row", label: "Row" },
];

export const examples: Readonly<Record<Kind, Example>> = {
  picture: {
    shape: "[128,128]",
    transforms: [
      "crinkle(x, 2)",
      "crinkle(y, 2)",
      "crinkle(x, 4) | crinkle(y, 4)",
      "uncrinkle(x, 2)",
      "flip(x)",
      "flip(x, y)",
      "shift(x, 32) | shift(y, 16)",
      "transpose(x, y)",
      "pad(x, 16, 16)",
      "tile(32, 32)",
    ],
  },
  cube: {
    shape: "[8,8,8]",
    transforms: [
      "crinkle(x, 2)",
      "crinkle(x, 2) | crinkle(y, 2) | crinkle(z, 2)",
      "flip(x)",
      "shift(z, 1)",
      "transpose(x, z)",
    ],
  },
  row: {
    shape: "[12]",
    transforms: [
      "crinkle(x, 2)",
      "crinkle(x, 3)",
      "uncrinkle(x, 3)",
      "flip(x)",
      "shift(x, 3)",
      "pshift(x, 3)",
      "crinkle(x, 2) | flip(x)",
    ],
  },
};
