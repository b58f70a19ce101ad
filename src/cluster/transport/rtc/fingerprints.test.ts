import { describe, expect, it } from "vitest";
import { fingerprintIn } from "./fingerprints.ts";

const hex = (first: number) =>
  Array.from({ length: 32 }, (_, i) => (first + i).toString(16).padStart(2, "0").toUpperCase()).join(":");
const line = (first: number, algorithm = "sha-256") => `a=fingerprint:${algorithm} ${hex(first)}`;

describe("the fingerprint in a session description", () => {
  it("is the one that is named, once or for each medium", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => i + 3);
    expect(fingerprintIn(`v=0\r\n${line(3)}\r\nm=application\r\n`)).toEqual(bytes);
    expect(fingerprintIn(`v=0\r\n${line(3)}\r\nm=application\r\n${line(3).toLowerCase()}\r\n`)).toEqual(
      bytes,
    );
  });

  it.each([
    ["none", "v=0\r\n"],
    ["two", `${line(3)}\r\nm=application\r\n${line(4)}`],
    ["two, one by a weaker algorithm", `${line(3)}\r\na=fingerprint:sha-1 ${hex(3).slice(0, 59)}`],
    ["one by another algorithm", line(3, "sha-512")],
    ["one that is too short", line(3).slice(0, -3)],
    ["one that is too long", `${line(3)}:00`],
    ["one that is not hexadecimal", `a=fingerprint:sha-256 ${hex(3).replace("03", "zz")}`],
  ])("is refused if there is %s", (_, sdp) => {
    expect(() => fingerprintIn(sdp)).toThrow(expect.objectContaining({ tag: "Refused" }));
  });
});
