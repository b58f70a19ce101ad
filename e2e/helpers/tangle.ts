/** The tangle sample at `points` per direction, as the page makes it, for comparison. */
export class Tangle {
  readonly points: number;
  readonly spacing: number;

  constructor(points: number) {
    this.points = points;
    this.spacing = 6 / (points - 1);
  }

  /** At a node. */
  node(i: number, j: number, k: number): number {
    const part = (n: number) => {
      const x = -3 + n * this.spacing;
      return x ** 4 - 5 * x ** 2;
    };
    return Math.fround(0.2 * (part(i) + part(j) + part(k) + 11.8) + 0.5);
  }

  /** Between nodes, by trilinear interpolation. */
  at(position: readonly number[]): number {
    const last = this.points - 2;
    const places = position.map((x) => (x + 3) / this.spacing);
    const cell = places.map((place) => Math.min(last, Math.max(0, Math.floor(place))));
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      const offset = [corner & 1, (corner >> 1) & 1, corner >> 2];
      const weight = offset.reduce((product, o, d) => {
        const t = places[d] - cell[d];
        return product * (o ? t : 1 - t);
      }, 1);
      sum += weight * this.node(cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2]);
    }
    return sum;
  }

  /** Faces between a cell whose corners all lie in [low, high] and one of which this does not hold, or the outside. */
  outerFaces(low: number, high: number): number {
    const cells = this.points - 1;
    const isKept = (i: number, j: number, k: number): boolean => {
      if (Math.min(i, j, k) < 0 || Math.max(i, j, k) >= cells) return false;
      for (let corner = 0; corner < 8; corner++) {
        const value = this.node(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));
        if (value < low || value > high) return false;
      }
      return true;
    };
    let faces = 0;
    for (let k = 0; k < cells; k++) {
      for (let j = 0; j < cells; j++) {
        for (let i = 0; i < cells; i++) {
          if (!isKept(i, j, k)) continue;
          for (const [di, dj, dk] of directions) if (!isKept(i + di, j + dj, k + dk)) faces++;
        }
      }
    }
    return faces;
  }
}

const directions = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const;
