/** f32's unit in the last place at 1. */
const ulp = 2 ** -23;

/** A text, and what is known of its value: how large it can be, and how far f32 can be off. */
export interface BoundedExpression {
  readonly text: string;
  readonly most: number;
  readonly error: number;
}

export interface Ground {
  /** Fields at the nodes with values in [−1, 1] that are exact in f32. */
  readonly scalars: readonly string[];
  readonly vectors: readonly string[];
  /** Scalars in the cells, likewise. */
  readonly cells: readonly string[];
  /** The least distance between two neighbouring nodes. */
  readonly step: number;
}

/**
 * Random well-typed scalar expressions with a bound of f32's error, by running error analysis (Higham, Accuracy and
 * Stability of Numerical Algorithms, § 3.3): an operation adds a rounding of its result's size to what its operands'
 * errors become. Functions that WGSL computes less exactly have its table's bounds. Conditions compare fields alone, as
 * a computed value beside a threshold may fall to either side.
 */
export class ExpressionWriter {
  readonly #random: () => number;
  readonly #ground: Ground;

  constructor(random: () => number, ground: Ground) {
    this.#random = random;
    this.#ground = ground;
  }

  scalar(depth: number): BoundedExpression {
    if (depth === 0) return this.#leaf();
    const next = () => this.scalar(depth - 1);
    switch (this.#below(15)) {
      case 0:
      case 1:
        return sum(next(), next(), "+");
      case 2:
        return sum(next(), next(), "-");
      case 3:
      case 4:
        return product(next(), next());
      case 5: {
        const [a, b] = [next(), next()];
        const name = this.#pick(["min", "max"]);
        return { text: `${name}(${a.text}, ${b.text})`, ...largest(a, b) };
      }
      case 6: {
        const a = next();
        return { ...a, text: `abs(${a.text})` };
      }
      case 7: {
        // The root's slope is at most 1/2 from 1 on.
        const a = next();
        const most = Math.sqrt(1 + a.most);
        return { text: `sqrt(1 + abs(${a.text}))`, most, error: a.error / 2 + 8 * ulp * (1 + most) };
      }
      case 8: {
        const a = next();
        return { text: `sin(${a.text})`, most: 1, error: a.error + 2 * ulp };
      }
      case 9: {
        const [a, b] = [next(), next()];
        const condition = `${this.#scalarField()} > ${this.#scalarField()}`;
        return { text: `(if ${condition} then ${a.text} else ${b.text})`, ...largest(a, b) };
      }
      case 10: {
        const a = next();
        return { text: `${this.#vectorOf(a)}[${this.#below(3)}]`, ...this.#slope(a) };
      }
      case 11: {
        const [a, b] = [this.#vector(depth - 1), this.#vector(depth - 1)];
        const one = product(a, b);
        return {
          text: `dot(${a.text}, ${b.text})`,
          most: 3 * one.most,
          error: 3 * one.error + 3 * ulp * 3 * one.most,
        };
      }
      case 13: {
        // Errors of the values move what lies between two of their ranks by no more than the largest of them.
        const a = next();
        const text = this.#pick([`quantile(${a.text}, 0.3)`, `max(${a.text})`]);
        return { text, most: a.most, error: a.error + ulp * a.most };
      }
      case 12: {
        const cells = this.#pick(this.#ground.cells);
        return sum(next(), { text: cells, most: 1, error: 8 * ulp }, "+");
      }
      default: {
        const a = next();
        return { text: `(${a.text} / 4)`, most: a.most / 4, error: a.error / 4 + 3 * ulp * a.most };
      }
    }
  }

  #vector(depth: number): BoundedExpression {
    if (depth === 0 || this.#random() < 0.3) {
      return { text: this.#pick(this.#ground.vectors), most: 1, error: 0 };
    }
    if (this.#random() < 0.4) {
      const a = this.scalar(depth - 1);
      return { text: this.#vectorOf(a), ...this.#slope(a) };
    }
    const parts = [this.scalar(depth - 1), this.#leaf(), this.#leaf()];
    const bounds = parts.map(({ most, error }) => ({ most, error }));
    return { text: `{${parts.map(({ text }) => text).join(", ")}}`, ...bounds.reduce(largest) };
  }

  #vectorOf(a: BoundedExpression): string {
    return `gradient(${a.text})`;
  }

  /** A difference over a step or two. */
  #slope({ most, error }: BoundedExpression): Omit<BoundedExpression, "text"> {
    const { step } = this.#ground;
    return { most: (2 * most) / step, error: (2 * error + 6 * ulp * most) / step };
  }

  #leaf(): BoundedExpression {
    if (this.#random() < 0.2) {
      const value = Math.round((this.#random() * 4 - 2) * 64) / 64;
      return { text: value < 0 ? `(${value})` : String(value), most: Math.abs(value), error: 0 };
    }
    return { text: this.#scalarField(), most: 1, error: 0 };
  }

  #scalarField(): string {
    if (this.#random() < 0.3) return `${this.#pick(this.#ground.vectors)}[${this.#below(3)}]`;
    return this.#pick(this.#ground.scalars);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)];
  }
}

function sum(a: BoundedExpression, b: BoundedExpression, operator: "+" | "-"): BoundedExpression {
  const most = a.most + b.most;
  return { text: `(${a.text} ${operator} ${b.text})`, most, error: a.error + b.error + ulp * most };
}

function product(a: BoundedExpression, b: BoundedExpression): BoundedExpression {
  const most = a.most * b.most;
  const error = a.error * b.most + b.error * a.most + a.error * b.error + ulp * most;
  return { text: `(${a.text} * ${b.text})`, most, error };
}

const largest = (a: Omit<BoundedExpression, "text">, b: Omit<BoundedExpression, "text">) => ({
  most: Math.max(a.most, b.most),
  error: Math.max(a.error, b.error),
});
