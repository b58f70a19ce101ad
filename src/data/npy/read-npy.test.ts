import { describe, expect, it } from "vitest";
import { bytesSource } from "../source.ts";
import { npyHead } from "../write/npy.ts";
import { isNpy, readNpy } from "./read-npy.ts";

const file = (description: string, shape: string, bytes: number, isFortranOrder = false) =>
  bytesSource(
    new Uint8Array([
      ...npyHead(description, shape, isFortranOrder),
      ...new Uint8Array(bytes).map((_, i) => i),
    ]),
    "a.npy",
  );

describe("readNpy", () => {
  it("reads arrays of any number of axes, the fastest first", async () => {
    const source = file("'<f4'", "4, 3, 2", 96);
    expect(await isNpy(source)).toBe(true);
    expect(await readNpy(source)).toMatchObject({ description: "<f4", elementBytes: 4, lengths: [2, 3, 4] });
    expect((await readNpy(file("'>c16'", "4, 3", 192, true))).lengths).toEqual([4, 3]);
    expect((await readNpy(file("'|b1'", "5,", 5))).bytes).toEqual(Uint8Array.of(0, 1, 2, 3, 4));
    expect((await readNpy(file("'<i8'", "", 8))).lengths).toEqual([1]);
    expect(await isNpy(bytesSource(new Uint8Array(3), "a"))).toBe(false);
  });

  it.each([
    [file("'<U3'", "2,", 24), "“a.npy” has elements of the type <U3."],
    [file("[('x', '<f4')]", "2,", 8), "“a.npy” has elements of the type of records."],
    [
      file("'<f4'", "2, 2", 12),
      "“a.npy”, byte 128: 12 bytes follow, where the shape (2, 2) of <f4 takes 16.",
    ],
    [
      bytesSource(
        Uint8Array.from("\x93NUMPY\x01\x00\x40\x00{'d", (c) => c.charCodeAt(0)),
        "a.npy",
      ),
      "ends within its header",
    ],
    [
      bytesSource(
        Uint8Array.from("\x93NUMPY\x01\x00\x03\x00{'d}", (c) => c.charCodeAt(0)),
        "a.npy",
      ),
      "does not describe an array",
    ],
    [
      bytesSource(
        Uint8Array.from("\x93NUMPY\x04\x00\x03\x00{'d}", (c) => c.charCodeAt(0)),
        "a.npy",
      ),
      "NumPy's format 4",
    ],
  ])("refuses what it cannot read (%#)", async (source, message) => {
    await expect(readNpy(source)).rejects.toThrow(message);
  });
});
