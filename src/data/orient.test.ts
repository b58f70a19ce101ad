import { expect, test } from "vitest";
import { reverseAxis } from "./orient.ts";

test.each([0, 1, 2])("reversing axis %i twice gives what was there, once gives mirrored indices", (axis) => {
  const dims = [4, 3, 2] as const;
  const data = Int32Array.from({ length: 48 }, (_, i) => i);
  const at = (i: number, j: number, k: number, c: number) => ((k * 3 + j) * 4 + i) * 2 + c;
  const mirrored = data.slice();
  reverseAxis(mirrored, dims, 2, axis);
  for (let k = 0; k < 2; k++) {
    for (let j = 0; j < 3; j++) {
      for (let i = 0; i < 4; i++) {
        const [x, y, z] = [i, j, k].map((index, a) => (a === axis ? dims[a] - 1 - index : index));
        expect([mirrored[at(i, j, k, 0)], mirrored[at(i, j, k, 1)]]).toEqual([
          at(x, y, z, 0),
          at(x, y, z, 1),
        ]);
      }
    }
  }
  reverseAxis(mirrored, dims, 2, axis);
  expect(mirrored).toEqual(data);
});
