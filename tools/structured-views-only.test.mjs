import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { structuredViews } from "./structured-views-only.mjs";

// Node 20 lacks it, and the library looks for it as it is loaded.
if (!("Float16Array" in globalThis))
  Object.assign(globalThis, { Float16Array: class extends Uint16Array {} });

const path = fileURLToPath(import.meta.resolve("webgpu-utils")).replace(/[^/]+$/, "webgpu-utils.module.js");
const whole = readFileSync(path, "utf8");

it("leaves the views of structs as they are, and nothing else", async () => {
  const code = structuredViews(whole);
  expect(code.length).toBeLessThan(0.15 * whole.length);
  const { makeStructuredView } = await import("webgpu-utils");
  const made = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(Object.keys(made)).toEqual(["makeStructuredView"]);
  const definition = {
    fields: {
      a: { offset: 0, type: { size: 4, type: "f32" } },
      b: { offset: 16, type: { size: 12, type: "vec3u" } },
    },
    size: 32,
  };
  const values = { a: 0.5, b: [1, 2, 3] };
  const [slim, full] = [made.makeStructuredView(definition), makeStructuredView(definition)];
  slim.set(values);
  full.set(values);
  expect(new Uint8Array(slim.arrayBuffer)).toEqual(new Uint8Array(full.arrayBuffer));
});

it("refuses a library that is laid out in another way", () => {
  expect(() => structuredViews("export const a = 1;")).toThrow("laid out in another way");
});
