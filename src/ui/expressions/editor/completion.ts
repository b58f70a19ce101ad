import {
  type Completion,
  type CompletionContext,
  type CompletionSource,
  snippetCompletion,
} from "@codemirror/autocomplete";
import type { Scope } from "../../../lang/expression/editor/analyze.ts";
import { type CompletionOption, completionsAt } from "../../../lang/expression/editor/complete.ts";

/** Fields and definitions come before functions, and those before keywords. */
const boosts: Readonly<Record<CompletionOption["type"], number>> = {
  variable: 3,
  property: 2,
  constant: 1,
  function: 0,
  keyword: -1,
};

export function completeIn(scope: () => Scope): CompletionSource {
  return ({ state, pos, explicit }: CompletionContext) => {
    const list = completionsAt(state.doc.toString(), pos, scope(), explicit);
    return list ? { ...list, options: list.options.map(toCompletion) } : null;
  };
}

function toCompletion({ template, ...option }: CompletionOption): Completion {
  const completion = { ...option, boost: boosts[option.type] };
  return template === undefined ? completion : snippetCompletion(template, completion);
}
