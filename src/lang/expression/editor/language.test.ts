import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { describe, expect, it } from "vitest";
import { expressionLanguage } from "./language.ts";

const highlighter = tagHighlighter([
  { tag: tags.lineComment, class: "comment" },
  { tag: tags.number, class: "number" },
  { tag: tags.definition(tags.variableName), class: "definition" },
  { tag: tags.function(tags.variableName), class: "function" },
  { tag: tags.variableName, class: "name" },
  { tag: tags.controlKeyword, class: "control" },
  { tag: tags.operatorKeyword, class: "word" },
  { tag: tags.operator, class: "operator" },
  { tag: tags.definitionKeyword, class: "keyword" },
]);

function highlighted(text: string): string {
  const { parser } = expressionLanguage().language;
  const pieces: string[] = [];
  highlightTree(parser.parse(text), highlighter, (from, to, style) =>
    pieces.push(`${text.slice(from, to)}:${style}`),
  );
  return pieces.join(" ");
}

describe("highlighting", () => {
  it("distinguishes the kinds of words", () => {
    expect(highlighted("q = curl(v)[0] ^ 2 # why")).toBe(
      "q:definition =:operator curl:function v:name 0:number ^:operator 2:number # why:comment",
    );
    expect(highlighted('"a b" = "c d"')).toBe('"a b":definition =:operator "c d":name');
    expect(highlighted("if not a then b else c and d")).toBe(
      "if:control not:word a:name then:control b:name else:control c:name and:word d:name",
    );
    expect(highlighted('def f(a, "b c") = a')).toBe(
      'def:keyword f:definition a:definition "b c":definition =:operator a:name',
    );
    expect(highlighted("if(and(a, b), 1, 2)")).toBe(
      "if:function and:function a:name b:name 1:number 2:number",
    );
  });
});
