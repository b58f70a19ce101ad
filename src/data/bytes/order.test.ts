import { expect, test } from "vitest";
import { bytesPerElement, dtypes, swapBytes } from "../../core/dtype.ts";
import { noJob } from "../../core/job.ts";
import { allocate, bytesOf } from "./allocate.ts";
import { toNativeOrder } from "./order.ts";
import { Yielder } from "./yielder.ts";

test.each(dtypes)("%s: numbers of either order become the machine's", async (dtype) => {
  const width = bytesPerElement(dtype);
  for (const order of ["little", "big"] as const) {
    const array = allocate(dtype, 5, "x");
    const view = new DataView(array.buffer);
    for (let i = 0; i < 5; i++) {
      for (let b = 0; b < width; b++)
        view.setUint8(i * width + (order === "little" ? b : width - 1 - b), 16 * i + b);
    }
    await toNativeOrder(array, order, new Yielder(noJob, "x"));
    const expected = allocate(dtype, 5, "x");
    const little = new DataView(expected.buffer);
    for (let i = 0; i < 5; i++) for (let b = 0; b < width; b++) little.setUint8(i * width + b, 16 * i + b);
    expect(bytesOf(array)).toEqual(bytesOf(expected));
  }
});

test.each([2, 4, 8])("elements of %i bytes at any address, a rest left alone", (width) => {
  for (const offset of [0, 1, width]) {
    const bytes = Uint8Array.from({ length: offset + 3 * width + 1 }, (_, i) => i);
    const expected = bytes.slice();
    for (let e = 0; e < 3; e++) expected.subarray(offset + e * width, offset + (e + 1) * width).reverse();
    swapBytes(bytes.subarray(offset), width);
    expect(bytes).toEqual(expected);
  }
});

test("an array that no memory holds is an OutOfMemory with its size", () => {
  expect(() => allocate("f64", 2 ** 50, "the field “p”")).toThrow(
    "The field “p” needs 8192\u00a0TiB of memory, more than is available. Close other data sets or tabs",
  );
});
