import { describe, expect, it } from "vitest";
import { bytesOption, choiceOption, numberOption, readArguments } from "./arguments.ts";

const table = {
  value: { type: "string", help: "" },
  field: { type: "string", help: "" },
  open: { type: "boolean", help: "" },
} as const;
const read = (...args: string[]) => readArguments(args, ["FILE", "EXPRESSION"], table);

describe("readArguments", () => {
  it("takes options before, between and after positional arguments", () => {
    expect(read("--open", "a.vti", "--field=q", "q = x", "--value", "3")).toEqual({
      positionals: ["a.vti", "q = x"],
      options: { open: true, field: "q", value: "3" },
    });
  });

  it("lets values and expressions begin with a minus", () => {
    const { positionals, options } = read("a.vti", "-v[0] - 1", "--value", "-0.5", "--field", "--odd");
    expect(positionals[1]).toBe("-v[0] - 1");
    expect(options).toEqual({ value: "-0.5", field: "--odd" });
  });

  it("takes everything after -- as positional", () => {
    expect(read("--", "--a.vti", "--x").positionals).toEqual(["--a.vti", "--x"]);
  });

  it.each([
    [["a.vti"], "The argument EXPRESSION is missing."],
    [["a.vti", "x", "+", "y"], "The argument “+” is one too many. An expression with spaces needs quotes."],
    [["a.vti", "x", "--feild", "q"], "There is no option --feild. Did you mean --field?"],
    [["a.vti", "x", "--zzz"], "There is no option --zzz."],
    [["a.vti", "x", "--constructor"], "There is no option --constructor."],
    [["a.vti", "x", "--value"], "The option --value needs a value."],
  ])("refuses %j", (args, message) => {
    expect(() => read(...args)).toThrow(expect.objectContaining({ tag: "Usage", message }));
  });

  it("refuses a value for an option that has none", () => {
    expect(() => read("a.vti", "x", "--open=yes")).toThrow(expect.objectContaining({ tag: "Usage" }));
  });
});

describe("numberOption", () => {
  it.each([
    ["-0.5", -0.5],
    ["1e3", 1000],
    [" 7 ", 7],
  ])("reads %s", (text, value) => expect(numberOption("value", text)).toBe(value));

  it.each(["", "  ", "abc", "1,5", "NaN", "Infinity"])("refuses “%s”", (text) => {
    expect(() => numberOption("value", text)).toThrow(
      `The option --value is “${text}”, which is not a number.`,
    );
  });
});

it("choiceOption names the choices", () => {
  expect(choiceOption("device", "cpu", ["cpu", "gpu"])).toBe("cpu");
  expect(() => choiceOption("device", "tpu", ["cpu", "gpu"])).toThrow(
    "The option --device is “tpu”. It can be cpu, gpu.",
  );
});

describe("bytesOption", () => {
  it("reads numbers of bytes with and without units", () => {
    expect(["1000", "512MiB", "1.5 GiB", "4KiB", "7B"].map((text) => bytesOption("memory", text))).toEqual([
      1000,
      512 * 2 ** 20,
      1.5 * 2 ** 30,
      4096,
      7,
    ]);
  });

  it("refuses what is none, and names the option", () => {
    for (const text of ["", "much", "-5", "0", "5 parsecs", "1.2.3"]) {
      expect(() => bytesOption("memory", text)).toThrow("--memory");
    }
  });
});
