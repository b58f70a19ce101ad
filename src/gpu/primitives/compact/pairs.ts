import type { TileShape } from "./options.ts";

/** Pairs of a thread: rows of a subgroup's elements. */
const eachRow = ({ items }: TileShape, code: (r: number) => string): string =>
  Array.from({ length: items / 2 }, (_, r) => code(r)).join("\n  ");

/** Rows whose counts are scanned together, a byte each: of 64 lanes at most, which have 128 elements. */
const eachScan = ({ items }: TileShape, code: (s: number, rows: readonly number[]) => string): string =>
  Array.from({ length: Math.ceil(items / 8) }, (_, s) =>
    code(
      s,
      [0, 1, 2, 3].map((r) => 4 * s + r).filter((r) => r < items / 2),
    ),
  ).join("\n  ");

const byteOf = (r: number) => `${8 * (r % 4)}u`;

/** The selecting words in pairs, in the same buffer as the words themselves. */
export const pairsIn = /* wgsl */ `
@group(0) @binding(7) var<storage, read> selector_pairs: array<vec2u>;
`;

/**
 * Body as \`countItems\`, by pairs q0, q1, … of elements from e0, e1, … on, bits f0, f1, … that say which go first, and
 * how many b0, b1, … of their share do before them. \`selector_lead\` is the WGSL of where the selecting words start.
 */
export const countPairs = (shape: TileShape, selectorLead: string): string => /* wgsl */ `
  let e0 = tile * tile_size + 2u * (share * ${shape.items / 2}u * size + lane);
  ${eachRow(shape, (r) => (r === 0 ? "" : `let e${r} = e0 + ${2 * r}u * size;`))}
  ${eachRow(shape, (r) => `var q${r} = vec2u();`)}
  let is_whole_tile = n - tile * tile_size >= tile_size;
  if (is_whole_tile && (${selectorLead} & 1u) == 0u) {
    ${eachRow(shape, (r) => `q${r} = selector_pairs[(${selectorLead} + e${r}) / 2u];`)}
  } else {
    ${eachRow(shape, (r) => `if (e${r} < n) { q${r}.x = read_selector(e${r}); }\n    if (e${r} + 1u < n) { q${r}.y = read_selector(e${r} + 1u); }`)}
  }
  ${eachRow(shape, (r) => `var f${r} = u32(goes_first(q${r}.x)) | (u32(goes_first(q${r}.y)) << 1u);`)}
  if (!is_whole_tile) {
    ${eachRow(shape, (r) => `f${r} &= (1u << min(n - min(e${r}, n), 2u)) - 1u;`)}
  }
  ${eachScan(
    shape,
    (
      s,
      rows,
    ) => /* wgsl */ `let c${s} = ${rows.map((r) => `(countOneBits(f${r}) << ${byteOf(r)})`).join(" | ")};
  let s${s} = subgroupInclusiveAdd(c${s});
  let a${s} = subgroupShuffle(s${s}, size - 1u);
  let x${s} = s${s} - c${s};`,
  )}
  let t0 = 0u;
  ${eachRow(
    shape,
    (r) => /* wgsl */ `let b${r} = t${r} + ((x${r >> 2} >> ${byteOf(r)}) & 255u);
  let t${r + 1} = t${r} + ((a${r >> 2} >> ${byteOf(r)}) & 255u);`,
  )}
  if (lane == 0u) { shares[share] = t${shape.items / 2}; }
  workgroupBarrier();`;

/** Body as \`writeItems\`, of what goes first alone. */
export const writePairs = (shape: TileShape): string => /* wgsl */ `
  let start = prefix + mine;
  ${eachRow(
    shape,
    (r) => /* wgsl */ `if ((f${r} & 1u) != 0u) { put(start + b${r}, q${r}.x, e${r}); }
  if ((f${r} & 2u) != 0u) { put(start + b${r} + (f${r} & 1u), q${r}.y, e${r} + 1u); }`,
  )}`;
