/** The nearest nodes so far, in code: those that a query has found. */
export interface Candidates {
  /** Declares them. */
  readonly begin: string;
  /** The square of the greatest distance. */
  readonly bound: string;
  /** Takes `node` at `square` in where it is nearer. */
  readonly visit: string;
  /** Puts them in order, the nearest first. */
  readonly end: string;
  /** Whether a place among them can be computed. */
  readonly isIndexed: boolean;
  /** The node and the square of its distance at a place: its number, or an expression. */
  at(k: number | string): { readonly node: string; readonly square: string };
}

/** Greater than every square that counts. */
const farthest = "0x1.fffffep+127f";
export const noNode = "0xffffffffu";

/** So many are kept in order, in registers; more are a heap in memory. */
const maxInOrder = 16;

export const candidates = (k: number): Candidates => (k <= maxInOrder ? inOrder(k) : heap(k));

function inOrder(k: number): Candidates {
  const all = Array.from({ length: k }, (_, i) => i);
  const bound = `square${k - 1}`;
  return {
    begin: all.map((i) => `var square${i} = ${farthest};\nvar node${i} = ${noNode};`).join("\n"),
    bound,
    visit: /* wgsl */ `
    if (square < ${bound}) {
      ${all
        .toReversed()
        .map((i) => {
          const takes = i === 0 ? "true" : `square${i - 1} <= square`;
          const [before, nodeBefore] = i === 0 ? ["square", "node"] : [`square${i - 1}`, `node${i - 1}`];
          return `if (square < square${i}) {
        node${i} = select(${nodeBefore}, node, ${takes});
        square${i} = select(${before}, square, ${takes});
      }`;
        })
        .join("\n      ")}
    }`,
    end: "",
    isIndexed: false,
    at: (i) => ({ node: `node${i}`, square: `square${i}` }),
  };
}

/** The greatest distance is first. */
function heap(k: number): Candidates {
  const sink = (square: string, node: string, size: string): string => /* wgsl */ `
      var hole = 0u;
      loop {
        var child = 2u * hole + 1u;
        if (child >= ${size}) { break; }
        if (child + 1u < ${size}) { child += u32(squares_found[child + 1u] > squares_found[child]); }
        if (squares_found[child] <= ${square}) { break; }
        squares_found[hole] = squares_found[child];
        nodes_found[hole] = nodes_found[child];
        hole = child;
      }
      squares_found[hole] = ${square};
      nodes_found[hole] = ${node};`;
  return {
    begin: /* wgsl */ `
  var squares_found: array<f32, ${k}>;
  var nodes_found: array<u32, ${k}>;
  for (var i = 0u; i < ${k}u; i++) {
    squares_found[i] = ${farthest};
    nodes_found[i] = ${noNode};
  }
  var bound = ${farthest};`,
    bound: "bound",
    visit: /* wgsl */ `
    if (square < bound) {${sink("square", "node", `${k}u`)}
      bound = squares_found[0];
    }`,
    end: /* wgsl */ `
  for (var size = ${k - 1}u; size > 0u; size--) {
    let last_square = squares_found[size];
    let last_node = nodes_found[size];
    squares_found[size] = squares_found[0];
    nodes_found[size] = nodes_found[0];${sink("last_square", "last_node", "size")}
  }`,
    isIndexed: true,
    at: (i) => ({ node: `nodes_found[${i}]`, square: `squares_found[${i}]` }),
  };
}
