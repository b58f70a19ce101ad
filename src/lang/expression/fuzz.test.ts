import { describe, expect, it } from "vitest";
import { describeError } from "../../core/errors.ts";
import { compile } from "./compile.ts";
import { checkText } from "./testing/check-text.ts";
import { randomTexts } from "./testing/random-texts.ts";

describe("random texts", () => {
  // `npm run sweep -- expressions` tries many more.
  it("compile, or are refused with places in the text", () => {
    const next = randomTexts(1);
    const counts = { compiles: 0, "is refused": 0 };
    for (let i = 0; i < 300; i++) {
      const text = next();
      try {
        counts[checkText(text, i % (text.length + 1))]++;
      } catch (error) {
        expect.unreachable(`${JSON.stringify(text)}: ${describeError(error)}`);
      }
    }
    expect(counts.compiles).toBeGreaterThan(50);
    expect(counts["is refused"]).toBeGreaterThan(50);
  }, 30_000);
});

describe("large expressions", () => {
  const fields = ["u", "v"].map((name) => ({ name, components: 1, centering: "node" }) as const);
  const times = (count: number, text: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => text(i));
  const around = (count: number, before: string, after: string) =>
    `${before.repeat(count)}u${after.repeat(count)}`;

  it.each([
    ["200 nested parentheses", around(200, "(", ")")],
    ["200 nested calls", around(200, "sin(", ")")],
    ["490 operators in a row", times(491, (i) => `max(u, ${i})`).join(" + ")],
    ["490 short operators in a row", times(491, () => "u").join("+")],
    ["440 long operators in a row", times(441, (i) => `max(${"u * v + ".repeat(40)}v, ${i})`).join(" + ")],
    [
      "10,000 operators in several statements",
      times(10_000, (i) => `a${i} = ${i ? `a${i - 1}` : "u"} + ${i}`).join("\n"),
    ],
    ["10,000 operators in the arguments of one call", `max(${times(5001, (i) => `u * ${i}`).join(", ")})`],
    [
      "500 functions that use each other",
      `def f0(a) = a\n${times(500, (i) => `def f${i + 1}(a) = f${i}(a)`).join("\n")}\nf300(u)`,
    ],
  ])("%s compile", (_, text) => {
    expect(compile(text, fields).nodes.length).toBeGreaterThan(0);
  });

  it.each([
    ["sums", times(10_001, () => "u").join(" + ")],
    ["products and sums", times(5001, (i) => `u*${i}`).join(" - ")],
    ["powers", times(10_001, () => "u").join("^")],
    ["conditions", times(10_001, () => "u > 1").join(" and ")],
    ["signs", around(10_000, "-", "")],
    ["negations", around(10_000, "not ", "")],
    ["parentheses", around(10_000, "(", ")")],
    ["open parentheses", "(".repeat(10_000)],
    ["calls", around(10_000, "max(u, v, ", ")")],
    ["vectors", around(10_000, "{u, v, ", "}[0]")],
    ["indices", around(10_000, "", "[0]")],
    ["indices in indices", around(10_000, "u[", "]")],
    ["choices", around(10_000, "if u then v else ", "")],
    ["choices in conditions", around(10_000, "if ", " then u else v")],
    ["choices as calls", around(10_000, "if(u, v, ", ")")],
    [
      "functions that use each other",
      `def f0(a) = a\n${times(2000, (i) => `def f${i + 1}(a) = f${i}(a) + ${i}`).join("\n")}\nf2000(u)`,
    ],
  ])("10,000 %s are refused with the limit named", (_, text) => {
    expect(() => compile(text, fields)).toThrow(/nests? more than [57]00 levels deep/);
  });
});
