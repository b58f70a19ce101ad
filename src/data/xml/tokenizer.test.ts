import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { Yielder } from "../bytes/yielder.ts";
import { bytesSource } from "../source.ts";
import { readXml, type XmlElement } from "./tokenizer.ts";

function parse(text: string, stopAt = "never"): Promise<XmlElement> {
  const source = bytesSource(new TextEncoder().encode(text), "a.xml");
  return readXml(new ByteCursor(source, new Yielder(noJob, "Reading")), stopAt);
}

test("elements, attributes in both quotes, entities, comments, and where text lies", async () => {
  const text = `<?xml version="1.0"?>\n<!-- <no> "element' -->\n<a x="1 &lt; 2" y='"&#956;&quot;'>\n  <b/>one<b z="/>"\n/> two </a>`;
  const [a] = (await parse(text)).children;
  expect(a.name).toBe("a");
  expect([...a.attributes]).toEqual([
    ["x", "1 < 2"],
    ["y", '"μ"'],
  ]);
  expect(a.line).toBe(3);
  expect(a.children.map(({ name, attributes, line }) => [name, attributes.get("z"), line])).toEqual([
    ["b", undefined, 4],
    ["b", "/>", 4],
  ]);
  expect(a.text.map(({ from, to, line }) => [text.slice(from, to), line])).toEqual([
    ["one", 4],
    [" two ", 5],
  ]);
});

test("reading stops behind the start tag of the element asked for", async () => {
  const root = await parse('<a><AppendedData encoding="raw">_\0\0<<<<"</a>', "AppendedData");
  expect(root.children[0].children[0].contentFrom).toBe(32);
});

test("a file that ends inside an element is truncated", async () => {
  await expect(parse("<a>\n<b><c/>")).rejects.toThrow(
    "“a.xml” ends at byte 11, but the element b of line 2 has no end. The file is truncated",
  );
  expect((await parse("<a><b></c></a>\n")).children[0].children[0].name).toBe("b");
});

test("a quote that is not escaped is an error, not an attribute that swallows the elements behind it", async () => {
  const text = `<a>\n<b Scalars="with"quote">\n<c Name="with"quote"/></b></a>`;
  await expect(parse(text)).rejects.toThrow('“a.xml”, line 2: the tag b is malformed at “quote">');
});

test("neither depth nor a long tag exhausts anything", async () => {
  await expect(parse("<a>".repeat(10_000))).rejects.toThrow("elements are nested more than 64 deep");
  await expect(parse(`<a ${"x".repeat(1 << 20)}`)).rejects.toThrow(
    "“a.xml”, byte 0: a tag starts here, but does not end.",
  );
});
