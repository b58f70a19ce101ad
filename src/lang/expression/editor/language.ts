import { LanguageSupport, LRLanguage } from "@codemirror/language";
import { styleTags, tags } from "@lezer/highlight";
import { parser } from "../grammar/parser.ts";

const highlighting = styleTags({
  Comment: tags.lineComment,
  Number: tags.number,
  "VariableName!": tags.variableName,
  "DefinedName!": tags.definition(tags.variableName),
  "FunctionName! CallExpression/if": tags.function(tags.variableName),
  "DefinedFunction!": tags.definition(tags.function(tags.variableName)),
  "Parameter!": tags.definition(tags.variableName),
  def: tags.definitionKeyword,
  "if then else": tags.controlKeyword,
  "and or not": tags.operatorKeyword,
  "Plus Minus Times Power": tags.arithmeticOperator,
  Compare: tags.compareOperator,
  "And Or Not": tags.logicOperator,
  Assign: tags.definitionOperator,
  "( )": tags.paren,
  "[ ]": tags.squareBracket,
  "{ }": tags.brace,
  ", ;": tags.separator,
});

const language = LRLanguage.define({
  name: "crinkle",
  parser: parser.configure({ props: [highlighting] }),
  languageData: {
    commentTokens: { line: "#" },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
  },
});

/** The expression language for CodeMirror: highlighting, brackets and comments by the compiler's own grammar. */
export function expressionLanguage(): LanguageSupport {
  return new LanguageSupport(language);
}
